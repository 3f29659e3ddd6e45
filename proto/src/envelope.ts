/** Length of an envelope's head: one byte of flags, four of length. */
export const ENVELOPE_HEAD = 5;
/** The flag of a stream's last envelope, which carries JSON: `{}`, or `{"error": {"code", "message"}}`. */
export const END_STREAM = 0b10;

/** Writes an envelope's head (Connect protocol, streaming RPCs) to the start of `target`; `length` bytes follow it. */
export function writeEnvelopeHead(target: Uint8Array, flags: number, length: number): void {
  target[0] = flags;
  target[1] = length >>> 24;
  target[2] = length >>> 16;
  target[3] = length >>> 8;
  target[4] = length;
}

/** A message in its envelope, as one piece: one write, one frame, one packet. */
export function envelope(flags: number, message: Uint8Array): Uint8Array {
  const whole = new Uint8Array(ENVELOPE_HEAD + message.length);
  writeEnvelopeHead(whole, flags, message.length);
  whole.set(message, ENVELOPE_HEAD);
  return whole;
}

/**
 * Finds the messages in a stream of envelopes, however it was cut. A message that came in one piece is given as it lies in that
 * piece, without a copy.
 */
export class EnvelopeReader {
  private readonly max: number;
  private readonly onMessage: (flags: number, message: Uint8Array) => void;
  private readonly head = new Uint8Array(ENVELOPE_HEAD);
  private headBytes = 0;
  private body: Uint8Array | undefined;
  private bodyBytes = 0;
  private stopped = false;

  /** @param max most bytes of one message */
  constructor(max: number, onMessage: (flags: number, message: Uint8Array) => void) {
    this.max = max;
    this.onMessage = onMessage;
  }

  /** True between two messages, where a stream may end. */
  get whole(): boolean {
    return this.headBytes === 0;
  }

  /** Gives no more messages of the piece that is being read; for `onMessage`. */
  stop(): void {
    this.stopped = true;
  }

  /**
   * @returns how many bytes were read: all, unless it was stopped
   * @throws RangeError for a message of more than `max` bytes
   */
  push(piece: Uint8Array): number {
    let at = 0;
    this.stopped = false;
    while (at < piece.length && !this.stopped) {
      at = this.headBytes < ENVELOPE_HEAD ? this.readHead(piece, at) : this.readBody(piece, at);
      // An empty message has no byte that would bring it.
      if (this.headBytes === ENVELOPE_HEAD && this.length() === 0) this.give(new Uint8Array(0));
    }
    return at;
  }

  private readHead(piece: Uint8Array, at: number): number {
    const end = Math.min(piece.length, at + ENVELOPE_HEAD - this.headBytes);
    for (let index = at; index < end; index++) this.head[this.headBytes++] = piece[index] ?? 0;
    if (this.headBytes === ENVELOPE_HEAD && this.length() > this.max) {
      throw new RangeError(`a message of ${this.length()} bytes came, at most ${this.max} were expected`);
    }
    return end;
  }

  private readBody(piece: Uint8Array, at: number): number {
    const length = this.length();
    if (!this.body && piece.length - at >= length) {
      this.give(piece.subarray(at, at + length));
      return at + length;
    }
    const body = (this.body ??= new Uint8Array(length));
    const part = piece.subarray(at, at + length - this.bodyBytes);
    body.set(part, this.bodyBytes);
    this.bodyBytes += part.length;
    if (this.bodyBytes === length) this.give(body);
    return at + part.length;
  }

  private give(message: Uint8Array): void {
    const flags = this.head[0] ?? 0;
    this.headBytes = 0;
    this.body = undefined;
    this.bodyBytes = 0;
    this.onMessage(flags, message);
  }

  private length(): number {
    const [, a = 0, b = 0, c = 0, d = 0] = this.head;
    return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  }
}
