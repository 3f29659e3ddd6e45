import type { Socket } from 'socket.io';

/** A socket with nothing open is not kept longer than this. */
const IDLE_MS = 60_000;

/** Ends a socket that is not used. */
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
