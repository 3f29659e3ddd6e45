import type { Socket } from 'socket.io';
import type { OutputSink } from './output.ts';
import type { ClientMessages, ServerMessages } from './messages.ts';

export type BrowserSocket = Socket<ClientMessages, ServerMessages>;

/** The part of a `ws` socket that Engine.IO keeps in its transport. */
interface Pausable {
  pause(): void;
  resume(): void;
}

/** A Socket.IO socket as a place for output: busy until the kernel has taken what was sent. */
export class SocketSink implements OutputSink {
  private readonly transport;

  constructor(private readonly socket: BrowserSocket) {
    this.transport = socket.conn.transport;
  }

  busy(): boolean {
    return !this.transport.writable;
  }

  send(message: { output: string | Uint8Array; offset: number }): void {
    this.socket.emit('output', message);
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
