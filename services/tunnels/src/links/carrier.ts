import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';
import type { Upgrade } from '../edge/upgrade.ts';
import type { Carrier } from './dial.ts';

const PROTOCOL = 'warren-h2';
const MAX_FRAME = 4 << 20;

const webSockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: false,
  maxPayload: MAX_FRAME,
  handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
});

/**
 * Answers 101 and gives the byte stream that the link runs on: the socket itself, or the same bytes in WebSocket frames.
 * @throws Error when the WebSocket handshake is wrong; it is answered then
 */
export async function accept(carrier: Carrier, upgrade: Upgrade): Promise<Duplex> {
  return carrier === 'websocket' ? acceptWebSocket(upgrade) : acceptRaw(upgrade);
}

function acceptRaw({ socket, head }: Upgrade): Duplex {
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${PROTOCOL}\r\n\r\n`);
  // HTTP/2 begins with these bytes; without them the session dies of a protocol error.
  if (head.length > 0) socket.unshift(head);
  if (socket instanceof Socket) socket.setNoDelay(true).setTimeout(0);
  return socket;
}

function acceptWebSocket({ request, socket, head }: Upgrade): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const refused = () => reject(new Error('The WebSocket handshake was refused.'));
    socket.once('close', refused);
    webSockets.handleUpgrade(request, socket, head, (webSocket: WebSocket, _request: IncomingMessage) => {
      socket.off('close', refused);
      resolve(createWebSocketStream(webSocket).on('error', () => {}));
    });
  });
}
