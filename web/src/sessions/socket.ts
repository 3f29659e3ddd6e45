import { io } from 'socket.io-client';

/** What sessions there are; also the purposes of their tickets. */
export type SessionKind = 'terminal' | 'desktop' | 'logs';

/** One connection to a namespace of the hub. It never connects again by itself: the next one needs a new token. */
export interface SessionSocket {
  /** This socket's id; '' until it is open. */
  id(): string;
  on(event: string, listener: (payload: unknown) => void): void;
  /** `answered` is called when the hub has taken note of the message, for those that it answers. */
  emit(event: string, payload?: unknown, answered?: () => void): void;
  /** Ends the connection; no listener is called afterwards. */
  close(): void;
}

export type OpenSocket = (ticket: { token: string; user: string }) => SessionSocket;

export const CONNECT_TIMEOUT_MS = 5_000;

/** Opens Socket.IO connections over WebSocket alone; events: `connect`, `connect_error` (Error), `disconnect` (reason), and the hub's. */
export const socketsOf =
  (kind: SessionKind): OpenSocket =>
  ({ token, user }) => {
    const socket = io(`/${kind}`, {
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
      emit: (event, ...rest) => void socket.emit(event, ...rest.filter((one) => one !== undefined)),
      close: () => {
        socket.removeAllListeners();
        socket.disconnect();
      },
    };
  };
