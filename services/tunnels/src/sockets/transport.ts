import type { Socket } from 'socket.io';

/** The part of a `ws` socket that Engine.IO keeps in its transport. */
interface Pausable {
  pause(): void;
  resume(): void;
}

/** What carries a Socket.IO socket, for backpressure both ways. */
export class SocketTransport {
  private readonly transport;

  constructor(socket: Pick<Socket, 'conn'>) {
    this.transport = socket.conn.transport;
  }

  /** True while what was sent has not left this process: the kernel has not taken it. */
  busy(): boolean {
    return !this.transport.writable;
  }

  /** Calls back each time the transport has taken what it was given. Returns its undo. */
  onReady(listener: () => void): () => void {
    this.transport.on('ready', listener);
    return () => this.transport.off('ready', listener);
  }

  /** Stops or goes on reading from the browser: the backpressure of its input. */
  hold(held: boolean): void {
    const { socket } = this.transport as unknown as { socket: Pausable };
    if (held) socket.pause();
    else socket.resume();
  }
}
