import { io } from 'socket.io-client';

/** One connection to the hub's namespace `/terminal`. It never connects again by itself: the next one needs a new token. */
export interface TerminalSocket {
  /** This socket's id; '' until it is open. */
  id(): string;
  on(event: string, listener: (payload: unknown) => void): void;
  emit(event: string, payload: unknown): void;
  /** Ends the connection; no listener is called afterwards. */
  close(): void;
}

export type OpenSocket = (ticket: { token: string; user: string }) => TerminalSocket;

export const CONNECT_TIMEOUT_MS = 5_000;

/** Opens a Socket.IO connection over WebSocket alone; events: `connect`, `connect_error` (Error), `disconnect` (reason), and the hub's. */
export const openTerminalSocket: OpenSocket = ({ token, user }) => {
  const socket = io('/terminal', {
    path: '/socketsio',
    transports: ['websocket'],
    query: { token, UserID: user },
    forceNew: true,
    reconnection: false,
    timeout: CONNECT_TIMEOUT_MS,
  });
  return {
    id: () => socket.id ?? '',
    on: (event, listener) => void socket.on(event, listener),
    emit: (event, payload) => void socket.emit(event, payload),
    close: () => {
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
};
