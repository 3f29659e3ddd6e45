import { LIMITS } from '@warren/rules/limits';
import { io } from 'socket.io-client';
import type { Socket } from 'socket.io-client';

/** The kinds of sockets; also the purposes of their tokens. */
export type SocketKind = 'terminal' | 'desktop' | 'logs';

/** One connection to a namespace of the hub. It never reconnects by itself: the next one needs a new token. */
export interface HubSocket {
  /** This socket's id; '' until it is open. */
  id(): string;
  on(event: string, listener: (payload: unknown) => void): void;
  /** `answered` is called on the hub's acknowledgement, for messages that have one. */
  emit(event: string, payload?: unknown, answered?: () => void): void;
  /** Closes the connection; no listener is called afterwards. */
  close(): void;
}

/** `register` is part of the handshake, for sockets that start with one: an event would have to wait for the hub's answer. */
export type OpenSocket = (ticket: { token: string; user: string; register?: object }) => HubSocket;

export const CONNECT_TIMEOUT_MS = LIMITS.terminalConnect;

/**
 * Opens Socket.IO connections over WebSocket alone; events: `connect`, `connect_error` (Error), `disconnect` (reason), and the hub's.
 * @param device a routing hint for the hub; the token authorises
 */
export const socketsOf =
  (kind: SocketKind, device: string): OpenSocket =>
  ({ token, user, register }) => {
    const socket = io(`/${kind}`, {
      path: '/socketsio',
      transports: ['websocket'],
      // The kind and the device are in the query too: the hub learns the namespace only a round trip later, and would have to look up the device.
      query: { token, UserID: user, kind, device },
      ...(register && { auth: { register } }),
      forceNew: true,
      reconnection: false,
      timeout: CONNECT_TIMEOUT_MS,
    });
    let lost = (_reason: unknown) => {};
    const unwatch = watchSilence(socket, () => lost('silence'));
    return {
      id: () => socket.id ?? '',
      on: (event, listener) => {
        if (event === 'disconnect') lost = listener;
        socket.on(event, listener);
      },
      emit: (event, ...rest) => void socket.emit(event, ...rest.filter((one) => one !== undefined)),
      close: () => {
        unwatch();
        socket.removeAllListeners();
        socket.disconnect();
      },
    };
  };

/** The hub sends a ping every 5 s, and any other packet is a sign of life as well. */
const SILENCE_MS = 12_000;
const LOOK_MS = 1_000;
/** After a pause of this page, input that has arrived meanwhile is processed first. */
const LOOKS = 3;

/**
 * Detects a silent connection that was never closed: a lost network sends nothing.
 * @returns its undo
 */
function watchSilence(socket: Socket, onSilent: () => void): () => void {
  let heardAt = Date.now();
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (looks < LOOKS || Date.now() - heardAt < SILENCE_MS) return;
    clearInterval(timer);
    onSilent();
  }, LOOK_MS);
  socket.io.engine.on('packet', () => {
    heardAt = Date.now();
    looks = 0;
  });
  return () => clearInterval(timer);
}
