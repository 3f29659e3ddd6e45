import { Code, ConnectError, createClient, type Client } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AgentService } from '@warren/proto/agent/v1/agent';
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type OutgoingHttpHeaders } from 'node:http2';
import type { Duplex } from 'node:stream';
import { TooManyStreams, type StreamOpener } from './link.guard.ts';
import { feedSession } from './socket.reader.ts';
import { LARGEST_WINDOW } from './stream.window.ts';

const AUTHORITY = 'http://agent.invalid';
/** Bytes in flight on the whole link: enough for 100 ms at 640 Mbit/s. */
const LINK_WINDOW = 8 << 20;
/**
 * Effectively unlimited megabytes: Node (24.21) keeps counting the unsent bytes of reset streams, and refuses every stream of the link at the
 * limit. The windows of the link and the buffers of its streams bound the real memory.
 */
const SESSION_MEMORY_MB = 1_000_000_000;
/** A message of the agent is at most 64 KiB of output and its frame. */
const MAX_MESSAGE = 256 * 1024;
const SETTLE_MS = 10_000;

/**
 * Starts HTTP/2 on a socket with this side as the client, and waits for the peer's SETTINGS, which only an HTTP/2
 * server sends (RFC 9113, 3.4).
 * @throws Error if they do not arrive within 10 s, after destroying the socket
 */
export async function reverseHttp2(socket: Duplex): Promise<ClientHttp2Session> {
  const session = connect(AUTHORITY, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: LARGEST_WINDOW },
    maxSessionMemory: SESSION_MEMORY_MB,
    maxReservedRemoteStreams: 0,
  });
  feedSession(session, socket);
  session.on('error', () => {});
  session.on('connect', () => session.setLocalWindowSize(LINK_WINDOW));
  // HTTP servers keep half-closed sockets open; a link that cannot answer is useless.
  socket.once('end', () => socket.destroy());
  socket.once('close', () => session.destroy());
  if (await settles(session)) return session;
  session.destroy();
  throw new Error('The agent did not start HTTP/2.');
}

/** Plain listeners and one timer: abort signals cost several times as much when a whole fleet dials. */
function settles(session: ClientHttp2Session): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (done: boolean) => {
      clearTimeout(timer);
      session.off('remoteSettings', settled);
      session.off('close', closed);
      resolve(done);
    };
    const settled = () => settle(true);
    const closed = () => settle(false);
    const timer = setTimeout(closed, SETTLE_MS);
    session.once('remoteSettings', settled);
    session.once('close', closed);
  });
}

/** Client of the agent's service inside its link. It never dials: calls fail once the link is closed. */
export function agentClient(session: StreamOpener): Client<typeof AgentService> {
  const transport = createConnectTransport({
    baseUrl: AUTHORITY,
    httpVersion: '2',
    acceptCompression: [],
    readMaxBytes: MAX_MESSAGE,
    sessionManager: {
      authority: AUTHORITY,
      request: (method, path, headers, options) =>
        request(session, { ...headers, ':method': method, ':path': path }, options),
      notifyResponseByteRead: () => {},
    },
  });
  return createClient(AgentService, transport);
}

async function request(
  session: StreamOpener,
  headers: OutgoingHttpHeaders,
  options: object,
): Promise<ClientHttp2Stream> {
  if (session.closed || session.destroyed) throw new ConnectError('The link is gone.', Code.Unavailable);
  try {
    return session.request(headers, options);
  } catch (error) {
    if (error instanceof TooManyStreams) throw new ConnectError(error.message, Code.ResourceExhausted);
    throw error;
  }
}
