import { io, type Socket } from 'socket.io-client';
import type { SocketToken } from './api.ts';

/** Opens the socket of a terminal, or of a device's desktop, as a client written to the specification does. @throws with the refusal's reason */
export async function openSocket(
  hub: string,
  { token, user_id }: Pick<SocketToken, 'token' | 'user_id'>,
  origin = hub,
  desktopOf?: string,
) {
  const socket: Socket = io(`${hub}/${desktopOf === undefined ? 'terminal' : 'desktop'}`, {
    path: '/socketsio',
    transports: ['websocket'],
    query: { token, UserID: user_id, ...(desktopOf !== undefined && { kind: 'desktop', device: desktopOf }) },
    extraHeaders: { origin },
    forceNew: true,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', (error) => {
      socket.disconnect();
      reject(error);
    });
  });
  return socket;
}
