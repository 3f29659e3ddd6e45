import { io } from 'socket.io-client';
import type { Hub } from '../hub.ts';
import type { Pipe, PipeTarget } from '../pipe.ts';
import { connected } from './warren.ts';

/**
 * The whole path of a desktop: Socket.IO client, tunnels, agent, server.
 * @param at where its socket is opened: at tunnels, or at the gateway, which is one process more on the way
 */
export function warrenDesktop(hub: Hub, deviceId: string, at: string): PipeTarget {
  return { name: 'Warren', open: () => open(hub, deviceId, at) };
}

async function open(hub: Hub, deviceId: string, at: string): Promise<Pipe> {
  const { token, user_id: user, device_sid: client } = await hub.socketToken(deviceId, 'desktop');
  const socket = io(`${at}/desktop`, {
    path: '/socketsio',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    query: { token, UserID: user, kind: 'desktop', device: deviceId },
    extraHeaders: { origin: hub.url },
  });
  await connected(socket);
  const sids = { client_sid: client, browser_sid: socket.id };
  let listener: (bytes: Buffer) => void = () => undefined;
  socket.on('vnc_stream', ({ data }: { data: Buffer }) => listener(data));
  await new Promise<void>((resolve, reject) => {
    socket.once('vnc_status', ({ success, error }: { success: boolean; error?: string }) =>
      success ? resolve() : reject(new Error(`The desktop was refused: ${error}`)),
    );
    socket.emit('start_vnc', { ...sids, encoding: 'binary' });
  });
  return {
    write: async (data) => {
      socket.emit('vnc_input', { ...sids, data });
      const { engine } = socket.io;
      if (engine.writeBuffer.length > 0) await new Promise<void>((resolve) => engine.once('drain', () => resolve()));
    },
    onData: (next) => (listener = next),
    close: () => socket.disconnect(),
  };
}
