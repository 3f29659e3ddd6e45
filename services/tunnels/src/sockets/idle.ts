import type { Socket } from 'socket.io';

/** Timeout of a socket without an open session. */
const IDLE_MS = 60_000;

/** Closes an unused socket. */
export class Idle {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly socket: Pick<Socket, 'connected' | 'disconnect' | 'once'>) {
    socket.once('disconnect', () => this.used());
    this.unused();
  }

  used(): void {
    clearTimeout(this.timer);
  }

  unused(): void {
    clearTimeout(this.timer);
    if (this.socket.connected) this.timer = setTimeout(() => this.socket.disconnect(true), IDLE_MS).unref();
  }
}
