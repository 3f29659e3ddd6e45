import { canSendTogether, sendTogether, webSocketOf } from '@warren/transport/fastpath/engine.io';
import type { Socket } from 'socket.io';
import { BrowserWindow } from './browser.window.ts';
import { activity } from './interactive.activity.ts';

/** The connection of a Socket.IO socket, for backpressure both ways. */
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
   * Sends the frames that `work` emits in one write. An event with an attachment is two frames, and would otherwise cost two writes here
   * and two reads at each hop.
   * @param bytes the interactive bytes among them
   * @param after emits what follows in the same write
   */
  together(bytes: number, work: () => void, after: () => void = () => {}): void {
    activity.sent(this.raw, bytes);
    if (this.busy() || !canSendTogether(this.engine)) {
      work();
      return after();
    }
    this.raw.cork();
    sendTogether(this.engine, work);
    after();
    this.raw.uncork();
  }

  /** True while sent bytes wait in this process: the kernel has not accepted them. */
  busy(): boolean {
    return !this.transport.writable;
  }

  /** Calls back each time the transport drains. Returns its undo. */
  onReady(listener: () => void): () => void {
    this.transport.on('ready', listener);
    return () => this.transport.off('ready', listener);
  }

  /**
   * Bounds the bytes in flight to the browser.
   * @param opened called when the window opens again
   */
  bounded(opened: () => void): BrowserWindow {
    return new BrowserWindow(webSocketOf(this.engine), opened, () => activity.besides(this.raw));
  }

  /** Pauses or resumes reading from the browser: the backpressure of its input. */
  hold(held: boolean): void {
    const reader = webSocketOf(this.engine) ?? this.raw;
    if (held) reader.pause();
    else reader.resume();
  }
}
