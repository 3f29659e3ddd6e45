import type { OpenSocket, HubSocket } from '../sockets/socket.ts';

/** The hub's end of a socket, moved by hand. */
export class FakeSocket implements HubSocket {
  readonly sent: { event: string; payload: unknown; answered?: () => void }[] = [];
  closed = false;
  private readonly listeners = new Map<string, (payload: unknown) => void>();

  constructor(readonly ticket: Parameters<OpenSocket>[0]) {}

  id(): string {
    return 'browser-1';
  }

  on(event: string, listener: (payload: unknown) => void): void {
    this.listeners.set(event, listener);
  }

  emit(event: string, payload?: unknown, answered?: () => void): void {
    this.sent.push({ event, payload, ...(answered && { answered }) });
  }

  close(): void {
    this.closed = true;
    this.listeners.clear();
  }

  /** The hub says something; a closed socket hears nothing. */
  hear(event: string, payload?: unknown): void {
    this.listeners.get(event)?.(payload);
  }

  payloads(event: string): unknown[] {
    return this.sent.filter((one) => one.event === event).map((one) => one.payload);
  }
}

/** A dialler that keeps the sockets that it opened. */
export function fakeSockets(): { open: OpenSocket; sockets: FakeSocket[]; last: () => FakeSocket } {
  const sockets: FakeSocket[] = [];
  return {
    sockets,
    open: (ticket) => {
      const socket = new FakeSocket(ticket);
      sockets.push(socket);
      return socket;
    },
    last: () => {
      const socket = sockets.at(-1);
      if (!socket) throw new Error('No socket was opened.');
      return socket;
    },
  };
}
