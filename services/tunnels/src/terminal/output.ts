import type { OutputCodec } from './codec.ts';

/** Where output goes: a socket that may be busy. */
export interface OutputSink {
  /** True while what was sent has not left this process. */
  busy(): boolean;
  send(message: { output: string | Uint8Array; offset: number }): void;
}

/** The most bytes in one message; larger ones gain nothing and delay what follows. */
const MAX_MESSAGE = 64 * 1024;
/** With this much waiting the agent's stream is no longer read. */
const HIGH_WATER = 256 * 1024;
/** What a piece takes besides its bytes, of which it may have none. */
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
  /** Offset after the last byte that was given to the socket. */
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

  /** @returns a promise to wait for before bringing more, or undefined when there is room */
  push(bytes: Uint8Array, offset: number): Promise<void> | undefined {
    this.waiting.push({ bytes, offset });
    this.waitingBytes += bytes.length + PIECE_BYTES;
    this.arrived();
    if (this.waitingBytes < HIGH_WATER) return undefined;
    return new Promise((resolve) => (this.room = resolve));
  }

  /** To be called when the socket is no longer busy. */
  pump(): void {
    while (this.waiting.length > 0 && !this.sink.busy()) this.sendNext();
    if (this.waitingBytes < HIGH_WATER) this.open();
    if (this.waiting.length === 0 && !this.sink.busy()) this.drained(this.sent);
  }

  /** Sends all that waits, whether the socket is busy or not: the end of a session must not be lost. */
  finish(): void {
    while (this.waiting.length > 0) this.sendNext();
    const rest = this.codec.flush();
    if (rest) this.sink.send(rest);
    this.open();
  }

  /** Drops what waits; the socket is gone. */
  discard(): void {
    this.waiting.length = 0;
    this.waitingBytes = 0;
    this.open();
  }

  /** The first piece of a turn of the event loop goes at once; many small ones of a turn cost one more message together. */
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

  /** The next bytes that follow one another, merged. */
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
