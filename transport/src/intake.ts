import type { OnReadOpts } from 'node:net';
import { lendBuffer, takeBack } from './lent.buffers.ts';

/** All calm connections read into this buffer in turn; its content is copied before the next read. */
const common = Buffer.allocUnsafeSlow(64 * 1024);
/** A read of this many bytes marks a busy connection, which gets a private buffer instead of copying. */
const BUSY_BYTES = 8 * 1024;
/** A read below this size ends that. */
const CALM_BYTES = 1024;

/** Reads a connection into reused buffers. */
export class Intake {
  /** For the construction of the socket, which then emits no `data`. */
  readonly onread: OnReadOpts = {
    buffer: () => this.own ?? common,
    callback: (length, buffer) => this.pass(length, buffer as Buffer),
  };
  private own: Buffer | undefined;
  private taken: (bytes: Buffer) => boolean = () => true;

  /** @param taken receives the bytes; false while their memory is still in use */
  open(taken: (bytes: Buffer) => boolean): void {
    this.taken = taken;
  }

  /** Stops reading for good. */
  close(): void {
    this.release(true);
  }

  private pass(length: number, buffer: Buffer): boolean {
    const bytes = buffer.subarray(0, length);
    if (buffer !== this.own) {
      this.taken(Buffer.from(bytes));
      if (length >= BUSY_BYTES) this.own ??= lendBuffer();
      return true;
    }
    const free = this.taken(bytes);
    if (!free) this.release(false);
    else if (length <= CALM_BYTES) this.release(true);
    if (!free) this.own = lendBuffer();
    return true;
  }

  private release(reusable: boolean): void {
    if (this.own) takeBack(this.own, reusable);
    this.own = undefined;
  }
}
