import http2, { type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { Carrier } from './dial.ts';
import { Heartbeat, type HeartbeatLimits } from './heartbeat.ts';

const STREAM_WINDOW = 1024 * 1024;
const SESSION_WINDOW = 4 * 1024 * 1024;
const STREAMS_MAX = 512;
/**
 * Limits of stream resets. The hub resets the stream of each connection that it drops, hundreds at a time, many of them unanswered.
 * Node's defaults (1,000, then 33 per second; 100 before their start) protect against attackers, and close the whole session when exceeded.
 */
const RESETS = { streamResetBurst: 100_000, streamResetRate: 10_000, maxSessionRejectedStreams: 1_000_000_000 };
/**
 * Memory limit of the session, in megabytes; high enough to have no effect. Node (24.21) never subtracts the unsent bytes of reset streams
 * from its count, and refuses all streams once the count reaches the limit (10 by default). The number of streams and their windows
 * bound the memory.
 */
const MEMORY = { maxSessionMemory: 1_000_000_000 };

export type RequestHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** One live link: HTTP/2 (RFC 9113) with the hub as the client, on a connection that the agent dialled. */
export interface Link {
  /** Settles when the hub sends a GOAWAY, has fallen silent, or the link is gone. */
  leave: Promise<'goaway' | 'silent' | 'closed'>;
  /** Settles with the reason when the link is gone. */
  closed: Promise<string>;
  /** Sends a GOAWAY and lets streams finish. */
  close(): void;
  destroy(reason: string): void;
}

/** Serves the hub's requests on `carrier` until it breaks, falls silent, or is closed. */
export function serveLink(carrier: Carrier, handler: RequestHandler, limits?: HeartbeatLimits): Link {
  let reason = 'the hub closed the connection';
  const closed = Promise.withResolvers<string>();
  const leave = Promise.withResolvers<'goaway' | 'silent' | 'closed'>();
  const session = acceptSession(carrier, handler);
  const destroy = (why: string) => {
    reason = why;
    carrier.stream.destroy();
  };
  const finish = closeWhenIdle(session, () => carrier.stream.destroy());
  const silent = () => {
    leave.resolve('silent');
    destroy('the hub has gone silent');
  };
  const heartbeat = new Heartbeat(session, carrier.bytesRead, silent, limits);
  session.on('error', (error) => (reason = error.message));
  session.on('goaway', () => {
    leave.resolve('goaway');
    finish();
  });
  session.once('close', () => carrier.stream.destroy());
  carrier.stream.on('error', (error) => (reason = error.message));
  carrier.stream.once('close', () => {
    heartbeat.stop();
    session.destroy();
    leave.resolve('closed');
    closed.resolve(reason);
  });
  return { leave: leave.promise, closed: closed.promise, close: finish, destroy };
}

/**
 * Closes a session when it is idle. Node ends a closed session only after its last stream, and never without streams or with pending
 * writes; two ends that wait for each other would stay linked.
 * @returns a function that starts the graceful end: GOAWAY, then `end` after the last stream
 */
function closeWhenIdle(session: ServerHttp2Session, end: () => void): () => void {
  let streams = 0;
  let closing = false;
  const check = () => {
    // One turn later the last frames have been written.
    if (closing && streams === 0) setImmediate(end);
  };
  session.on('stream', (stream) => {
    streams++;
    stream.once('close', () => {
      streams--;
      check();
    });
  });
  return () => {
    if (!session.closed && !session.destroyed) session.close();
    closing = true;
    check();
  };
}

/** One server for all links with the same handler; it listens nowhere. */
const servers = new WeakMap<RequestHandler, http2.Http2Server>();

function serverOf(handler: RequestHandler): http2.Http2Server {
  const known = servers.get(handler);
  if (known) return known;
  const server = http2.createServer({
    settings: { initialWindowSize: STREAM_WINDOW, maxConcurrentStreams: STREAMS_MAX, enablePush: false },
    ...RESETS,
    ...MEMORY,
  });
  server.on('request', handler);
  // Node distinguishes these from other requests (RFC 9113, section 8.5).
  server.on('connect', handler);
  servers.set(handler, server);
  return server;
}

function acceptSession(carrier: Carrier, handler: RequestHandler): ServerHttp2Session {
  const server = serverOf(handler);
  let accepted: ServerHttp2Session | undefined;
  const accept = (session: ServerHttp2Session) => (accepted = session);
  server.once('session', accept);
  // Over TLS the connection negotiated HTTP/1.1. After the Upgrade the server session has to see `h2`.
  if ('alpnProtocol' in carrier.stream) (carrier.stream as TLSSocket).alpnProtocol = 'h2';
  server.emit('connection', carrier.stream);
  server.off('session', accept);
  if (!accepted) throw new Error('the connection to the hub closed before HTTP/2 began');
  accepted.setLocalWindowSize(SESSION_WINDOW);
  return accepted;
}
