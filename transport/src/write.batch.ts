import type { Socket } from 'node:net';

/** The largest batch before it is written. */
const MOST = 256 * 1024;
/** The memory overhead of a piece: a body in chunks of one byte would take hundreds of times its size. */
const PIECE_BYTES = 256;

/**
 * Batches the writes to a socket: all bytes of one read of the other side leave in one piece, and those of many small reads leave once
 * for each turn of the event loop.
 */
export class WriteBatch {
  private held = false;
  private bytes = 0;

  /** @param written called when the batch has been handed to the system, or waits for it */
  constructor(
    private readonly socket: Socket,
    private readonly written: () => void,
  ) {}

  begin(): void {
    if (!this.held) this.socket.cork();
  }

  add(bytes: number): void {
    this.bytes += bytes + PIECE_BYTES;
  }

  /** @param more whether more bytes are likely in this turn, for which the batch waits */
  end(more: boolean): void {
    if (!more || this.bytes >= MOST) return this.flush();
    if (this.held) return;
    this.held = true;
    setImmediate(() => this.held && this.flush());
  }

  private flush(): void {
    this.held = false;
    this.bytes = 0;
    this.socket.uncork();
    this.written();
  }
}
