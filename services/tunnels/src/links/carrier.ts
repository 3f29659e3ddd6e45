import { canPauseSessionOn } from '@warren/transport/fastpath/session.pause';
import { socketPair } from '@warren/transport/socket.pair';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { Upgrade } from '@warren/transport/upgrade';
import type { Carrier } from './dial.ts';
import { feed } from './socket.reader.ts';

const PROTOCOL = 'warren-h2';
const MAX_FRAME = 4 << 20;

const webSockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME,
  handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
});

/** Extra headers of the WebSocket's 101 response. */
const withHandshake = new WeakMap<IncomingMessage, readonly string[]>();
webSockets.on('headers', (lines, request) => lines.push(...(withHandshake.get(request) ?? [])));

/**
 * Answers 101 and returns the byte stream of the link: the socket itself, or the bytes of WebSocket frames.
 * @param lines extra headers of the 101
 * @throws Error for an invalid WebSocket handshake, after answering it
 */
export async function accept(carrier: Carrier, upgrade: Upgrade, lines: readonly string[] = []): Promise<Duplex> {
  if (carrier !== 'websocket') return acceptRaw(upgrade, lines);
  withHandshake.set(upgrade.request, lines);
  return onSocket(upgrade.socket, () => handshake(upgrade));
}

async function acceptRaw({ socket, head }: Upgrade, lines: readonly string[]): Promise<Duplex> {
  const answer = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', `Upgrade: ${PROTOCOL}`, ...lines];
  socket.write(`${answer.join('\r\n')}\r\n\r\n`);
  // HTTP/2 begins with these bytes; without them the session dies of a protocol error.
  if (head.length > 0) socket.unshift(head);
  if (socket instanceof Socket) socket.setNoDelay(true).setTimeout(0);
  return canPauseSessionOn(socket) ? socket : onSocket(socket, async () => socket);
}

/**
 * Wraps a stream in a socket for HTTP/2: over a stream that is no socket, a peer that hangs can make Node's HTTP/2 fail an internal
 * assertion, which ends the process.
 */
async function onSocket(outer: Duplex, open: () => Promise<Duplex>): Promise<Duplex> {
  const [ours, theirs] = await socketPair();
  const end = () => {
    ours.destroy();
    theirs.destroy();
  };
  try {
    const stream = await open();
    if (!canPauseSessionOn(ours)) feed(ours, stream);
    ours.once('close', () => {
      end();
      stream.destroy();
      outer.destroy();
    });
    void pipeline(stream, theirs).then(end, end);
    void pipeline(theirs, stream).then(end, end);
    return ours;
  } catch (error) {
    end();
    throw error;
  }
}

function handshake({ request, socket, head }: Upgrade): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const refused = () => reject(new Error('The WebSocket handshake was refused.'));
    socket.once('close', refused);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', refused);
      // Synchronously: frames that arrived with the request would be lost otherwise.
      resolve(createWebSocketStream(webSocket));
    });
  });
}
