import { writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Pty, PtyBinding, PtyExit, PtySize } from './pty.ts';

/** A Linux terminal returns 4,095 bytes at most. After a read that fills its buffer, the next one follows at once, without a poll. */
const READ = 4_095;
/** The output of an exited program is read until this long has passed without more of it. */
const DRAIN_QUIET_MS = 200;
const RETRY_MIN_MS = 1;
const RETRY_MAX_MS = 50;

/** The agent's end of a pseudo terminal. Subclasses start and end its program. */
export abstract class PtyMaster implements Pty {
  abstract readonly pid: number;
  onData: (bytes: Uint8Array) => void = () => {};
  onWritable: () => void = () => {};
  onExit: (exit: PtyExit) => void = () => {};
  protected exit: PtyExit | undefined;
  private readonly binding: PtyBinding;
  private readonly fd: number;
  private readonly output: ReadStream;
  private input: Uint8Array[] = [];
  private waiting = 0;
  private retry: NodeJS.Timeout | undefined;
  private retryMs = RETRY_MIN_MS;
  private quiet: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param fd of the agent's end, which it closes */
  protected constructor(binding: PtyBinding, fd: number) {
    this.binding = binding;
    this.fd = fd;
    const buffer = Buffer.allocUnsafeSlow(READ);
    const callback = (length: number) => this.read(buffer.subarray(0, length));
    this.output = new ReadStream(fd, { onread: { buffer, callback } });
    this.output.resume();
    // Linux reports EIO when the last program has left the terminal.
    this.output.on('error', () => this.output.destroy());
    this.output.on('close', () => this.outputClosed());
  }

  get backlog(): number {
    return this.waiting;
  }

  private read(bytes: Uint8Array): boolean {
    this.quiet?.refresh();
    this.onData(bytes);
    return true;
  }

  write(bytes: Uint8Array): void {
    if (this.closed || bytes.length === 0) return;
    this.input.push(bytes);
    this.waiting += bytes.length;
    if (!this.retry) this.flush();
  }

  resize(size: PtySize): void {
    if (!this.closed) this.binding.resize(this.fd, size.cols, size.rows, 0, 0);
  }

  pause(): void {
    if (!this.exit) this.output.pause();
  }

  resume(): void {
    this.output.resume();
  }

  abstract hangUp(): void;

  /** Writes what the terminal accepts without blocking; the rest is retried with a growing delay. */
  private flush(): void {
    this.retry = undefined;
    let piece: Uint8Array | undefined;
    while ((piece = this.input[0])) {
      const written = this.writeSome(piece);
      if (written === 0) {
        this.retry = setTimeout(() => this.flush(), this.retryMs);
        this.retryMs = Math.min(this.retryMs * 2, RETRY_MAX_MS);
        return;
      }
      this.retryMs = RETRY_MIN_MS;
      this.waiting -= written;
      if (written === piece.length) this.input.shift();
      else this.input[0] = piece.subarray(written);
      this.onWritable();
    }
  }

  private writeSome(piece: Uint8Array): number {
    if (this.closed) return piece.length;
    try {
      return writeSync(this.fd, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      // EIO: the program's side of the terminal is closed.
      return piece.length;
    }
  }

  /** The program has exited; its remaining output is still read. */
  protected exited(exit: PtyExit): void {
    this.exit = exit;
    if (this.closed) return this.onExit(exit);
    this.quiet = setTimeout(() => this.output.destroy(), DRAIN_QUIET_MS);
    this.output.resume();
  }

  private outputClosed(): void {
    this.closed = true;
    clearTimeout(this.retry);
    clearTimeout(this.quiet);
    this.input = [];
    this.waiting = 0;
    if (this.exit) this.onExit(this.exit);
  }
}
