import { io, type Socket } from 'socket.io-client';
import type { Hub, SocketToken } from '../hub.ts';
import type { Target, Terminal } from '../terminal.ts';
import { Heard } from './heard.ts';

const ACK_EVERY = 64 * 1024;
/** The name of what an ingress leads to the gateway that it could lead to tunnels. */
export const THROUGH_GATEWAY = 'Warren, through the gateway';

interface Output {
  output: Uint8Array | string;
  offset: number;
}

/**
 * The whole path: Socket.IO client, tunnels, agent, PTY. The client acknowledges as the console does.
 * @param at where its socket is opened: at tunnels, or at the gateway, which is one process more on the way
 */
export function warren(hub: Hub, deviceId: string, at: string, name = 'Warren'): Target {
  const place = { url: at, device: deviceId, headers: { origin: hub.url } };
  return { name, open: async () => openTerminal(place, await hub.socketToken(deviceId)) };
}

/** Where a device's sockets are opened, and the headers that they need there. */
export interface Place {
  url: string;
  /** The id of the device. */
  device: string;
  headers: Record<string, string>;
  /** The authority of its certificate, if the system does not know it. */
  ca?: string;
}

/** @throws Error with the hub's reason when it does not let the socket in, or the device opens no terminal */
export async function openTerminal(place: Place, token: SocketToken): Promise<Terminal> {
  // With the connection and again after it, as the console does.
  const register = { client_sid: token.device_sid, cols: 80, rows: 24, encoding: 'binary', text: true, acks: true };
  const socket = io(`${place.url}/terminal`, {
    path: '/socketsio',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: { token: token.token, UserID: token.user_id, kind: 'terminal', device: place.device },
    auth: { register },
    extraHeaders: place.headers,
    ...(place.ca && { ca: place.ca }),
  });
  const heard = new Heard();
  let acknowledged = 0;
  socket.on('output', ({ output: came, offset }: Output) => {
    const output = typeof came === 'string' ? Buffer.from(came) : came;
    const end = offset + output.length;
    if (end - acknowledged >= ACK_EVERY) socket.emit('ack', { offset: (acknowledged = end) });
    heard.tell(output);
  });
  socket.once('connect', () => socket.emit('register', { ...register, browser_sid: socket.id, again: true }));
  // At once, since both may come in one piece.
  await Promise.all([connected(socket), registered(socket)]);
  const sids = { client_sid: token.device_sid, browser_sid: socket.id };
  return {
    write: (text) => socket.emit('input', { input: text, ...sids }),
    onOutput: (listener) => heard.listen(listener),
    close: async () => {
      socket.emit('close', {});
      await new Promise<void>((resolve) => {
        socket.once('exit', () => resolve());
        setTimeout(resolve, 2_000).unref();
      });
      socket.disconnect();
    },
  };
}

/** Resolves when the hub has let the socket in. */
export function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
}

function registered(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('register_status', ({ success, error }: { success: boolean; error?: string }) =>
      success ? resolve() : reject(new Error(`The terminal was refused: ${error}`)),
    );
  });
}
