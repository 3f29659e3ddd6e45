import { io, type Socket } from 'socket.io-client';
import type { Hub } from '../hub.ts';
import type { Target, Terminal } from '../terminal.ts';
import { Heard } from './heard.ts';

const ACK_EVERY = 64 * 1024;

interface Output {
  output: Uint8Array;
  offset: number;
}

/** The whole path: Socket.IO client, gateway, tunnels, agent, PTY. The client acknowledges as the console does. */
export function warren(hub: Hub, deviceId: string): Target {
  return { name: 'Warren', open: () => openTerminal(hub, deviceId) };
}

async function openTerminal(hub: Hub, deviceId: string): Promise<Terminal> {
  const token = await hub.socketToken(deviceId);
  const socket = io(`${hub.url}/terminal`, {
    path: '/socketsio',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: { token: token.token, UserID: token.user_id },
    extraHeaders: { origin: hub.url },
  });
  await connected(socket);
  const sids = { client_sid: token.device_sid, browser_sid: socket.id };
  const heard = new Heard();
  let acknowledged = 0;
  socket.on('output', ({ output, offset }: Output) => {
    const end = offset + output.length;
    if (end - acknowledged >= ACK_EVERY) socket.emit('ack', { offset: (acknowledged = end) });
    heard.tell(output);
  });
  await register(socket, sids);
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

function register(socket: Socket, sids: object): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('register_status', ({ success, error }: { success: boolean; error?: string }) =>
      success ? resolve() : reject(new Error(`The terminal was refused: ${error}`)),
    );
    socket.emit('register', { ...sids, cols: 80, rows: 24, encoding: 'binary', acks: true });
  });
}
