import { io, type Socket } from 'socket.io-client';
import type { SocketToken } from './api.ts';

/** Opens a terminal socket as a client written to the specification does. @throws with the refusal's reason */
export async function openSocket(
  hub: string,
  { token, user_id }: Pick<SocketToken, 'token' | 'user_id'>,
  origin = hub,
) {
  const socket: Socket = io(`${hub}/terminal`, {
    path: '/socketsio',
    transports: ['websocket'],
    query: { token, UserID: user_id },
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
