import { canSendTogether, sendTogether, webSocketOf } from '@warren/transport/fastpath/engine.io';
import type { Socket } from 'socket.io';
import { BrowserWindow } from './browser.window.ts';
import { company } from './company.ts';

/** What carries a Socket.IO socket, for backpressure both ways. */
export class SocketTransport {
  private readonly transport;
  private readonly engine;
  private readonly raw;

  constructor(socket: Pick<Socket, 'conn'>) {
    this.engine = socket.conn;
    this.transport = socket.conn.transport;
    this.raw = socket.conn.request.socket;
  }

  /**
   * Sends what `work` emits in one piece. An event with an attachment is two frames, and each would wait for the one before it to
   * leave: two writes here, and two of everything at each process on the way.
   * @param bytes how many, of those that somebody waits for
   * @param after what is to leave behind it, in the same piece
   */
  together(bytes: number, work: () => void, after: () => void = () => {}): void {
    company.sends(this.raw, bytes);
    if (this.busy() || !canSendTogether(this.engine)) {
      work();
      return after();
    }
    this.raw.cork();
    sendTogether(this.engine, work);
    after();
    this.raw.uncork();
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

  /**
   * Bounds what is under way to the browser.
   * @param opened told when there is room again
   */
  bounded(opened: () => void): BrowserWindow {
    return new BrowserWindow(webSocketOf(this.engine), opened, () => company.of(this.raw));
  }

  /** Stops or goes on reading from the browser: the backpressure of its input. */
  hold(held: boolean): void {
    const reader = webSocketOf(this.engine) ?? this.raw;
    if (held) reader.pause();
    else reader.resume();
  }
}
