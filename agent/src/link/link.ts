import http2, { type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Carrier } from './dial.ts';
import { watchSilence } from './heartbeat.ts';

const STREAM_WINDOW = 1024 * 1024;
const SESSION_WINDOW = 4 * 1024 * 1024;
const STREAMS_MAX = 512;

export type RequestHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** One live link: HTTP/2 (RFC 9113) with the hub as the client, on a connection that the agent dialled. */
export interface Link {
  /** Settles when the hub asks the agent to go elsewhere (GOAWAY), or the link is gone. */
  leave: Promise<'goaway' | 'closed'>;
  /** Settles with the reason when the link is gone. */
  closed: Promise<string>;
  /** Says goodbye, lets streams finish. */
  close(): void;
  destroy(reason: string): void;
}

/** Serves the hub's requests on `carrier` until it breaks, falls silent, or is closed. */
export function serveLink(carrier: Carrier, handler: RequestHandler, silence?: number): Link {
  let reason = 'the hub closed the connection';
  const closed = Promise.withResolvers<string>();
  const leave = Promise.withResolvers<'goaway' | 'closed'>();
  const session = acceptSession(carrier, handler);
  const destroy = (why: string) => {
    reason = why;
    session.destroy();
    carrier.stream.destroy();
  };
  const unwatch = watchSilence(carrier.bytesRead, () => destroy('the hub has gone silent'), silence);
  session.on('error', (error) => (reason = error.message));
  session.on('goaway', () => leave.resolve('goaway'));
  carrier.stream.on('error', (error) => (reason = error.message));
  // Whichever of the two goes first takes the other along.
  const gone = () => {
    unwatch();
    session.destroy();
    carrier.stream.destroy();
    leave.resolve('closed');
    closed.resolve(reason);
  };
  session.once('close', gone);
  carrier.stream.once('close', gone);
  return { leave: leave.promise, closed: closed.promise, close: () => session.close(), destroy };
}

function acceptSession(carrier: Carrier, handler: RequestHandler): ServerHttp2Session {
  const server = http2.createServer({
    settings: { initialWindowSize: STREAM_WINDOW, maxConcurrentStreams: STREAMS_MAX, enablePush: false },
  });
  let accepted: ServerHttp2Session | undefined;
  server.on('session', (session) => (accepted = session));
  server.on('request', handler);
  // Under TLS the connection was made for HTTP/1.1, and what it became by the Upgrade must be told to the server.
  if ('alpnProtocol' in carrier.stream) (carrier.stream as TLSSocket).alpnProtocol = 'h2';
  server.emit('connection', carrier.stream);
  if (!accepted) throw new Error('the connection to the hub closed before HTTP/2 began');
  accepted.setLocalWindowSize(SESSION_WINDOW);
  return accepted;
}
