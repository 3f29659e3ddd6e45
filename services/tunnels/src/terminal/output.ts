import type { OutputCodec } from './codec.ts';

/** The destination of output: a socket that may be busy. */
export interface OutputSink {
  /** True while sent bytes wait in this process. */
  busy(): boolean;
  send(message: { output: string | Uint8Array; offset: number }): void;
}

/** Maximum bytes of a message; larger ones gain nothing and delay what follows. */
const MAX_MESSAGE = 64 * 1024;
/** High-water mark, above which the agent's stream is not read. */
const HIGH_WATER = 256 * 1024;
/** Overhead of a piece, which may be empty. */
const PIECE_BYTES = 128;

interface Piece {
  offset: number;
  bytes: Uint8Array;
}

/**
 * Sends output to a browser: at once while the socket is idle, merged while it is busy. Beyond the high-water mark, producers
 * wait.
 */
export class OutputPipe {
  /** Offset after the last byte that was sent. */
  sent = 0;
  private readonly waiting: Piece[] = [];
  private waitingBytes = 0;
  private room: (() => void) | undefined;
  private turned = false;

  constructor(
    private readonly sink: OutputSink,
    private readonly codec: OutputCodec,
    private readonly drained: (sent: number) => void,
  ) {}

  /** @returns a promise to await before the next push, or undefined if there is room */
  push(bytes: Uint8Array, offset: number): Promise<void> | undefined {
    this.waiting.push({ bytes, offset });
    this.waitingBytes += bytes.length + PIECE_BYTES;
    this.arrived();
    if (this.waitingBytes < HIGH_WATER) return undefined;
    return new Promise((resolve) => (this.room = resolve));
  }

  /** Call when the socket drains. */
  pump(): void {
    while (this.waiting.length > 0 && !this.sink.busy()) this.sendNext();
    if (this.waitingBytes < HIGH_WATER) this.open();
    if (this.waiting.length === 0 && !this.sink.busy()) this.drained(this.sent);
  }

  /** Sends all queued output, even to a busy socket: the end of a session must not be lost. */
  finish(): void {
    while (this.waiting.length > 0) this.sendNext();
    const rest = this.codec.flush();
    if (rest) this.sink.send(rest);
    this.open();
  }

  /** Continues at a later offset: queued output is superseded. */
  skipTo(offset: number): void {
    this.codec.flush();
    this.discard();
    this.sent = offset;
  }

  /** Drops queued output after the socket has closed. */
  discard(): void {
    this.waiting.length = 0;
    this.waitingBytes = 0;
    this.open();
  }

  /** Sends the first piece of an event-loop turn at once, and merges the others of that turn into one message. */
  private arrived(): void {
    if (!this.turned || this.waitingBytes >= MAX_MESSAGE) this.pump();
    if (this.turned) return;
    this.turned = true;
    setImmediate(() => {
      this.turned = false;
      if (this.waiting.length > 0) this.pump();
    });
  }

  private open(): void {
    this.room?.();
    this.room = undefined;
  }

  private sendNext(): void {
    const { bytes, offset } = this.take();
    this.sent = offset + bytes.length;
    const message = this.codec.encode(bytes, offset);
    if (message) this.sink.send(message);
  }

  /** The next consecutive bytes, merged. */
  private take(): Piece {
    const first = this.waiting.shift();
    if (!first) throw new Error('Nothing waits.');
    const parts = [first.bytes];
    let end = first.offset + first.bytes.length;
    for (let next = this.waiting[0]; next && next.offset === end; next = this.waiting[0]) {
      if (end - first.offset + next.bytes.length > MAX_MESSAGE) break;
      parts.push(next.bytes);
      end += next.bytes.length;
      this.waiting.shift();
    }
    this.waitingBytes -= end - first.offset + parts.length * PIECE_BYTES;
    return { offset: first.offset, bytes: parts.length === 1 ? first.bytes : Buffer.concat(parts) };
  }
}
