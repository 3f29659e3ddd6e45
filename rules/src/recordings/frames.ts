/** Columns and rows of a terminal. */
export interface Size {
  cols: number;
  rows: number;
}

/** What happened in a recorded session, `atMs` milliseconds after its start. */
export type RecordedEvent = { atMs: number } & (
  | { kind: 'output'; bytes: Uint8Array }
  | ({ kind: 'resize' } & Size)
  /** Output that was not recorded, with the number of its bytes. */
  | { kind: 'gap'; bytes: number; why: string }
  /** Draws the screen as it was at an offset on a terminal that was reset. Output resumes at `offset`. */
  | { kind: 'snapshot'; offset: number; data: string; size: Size }
  | { kind: 'joined' | 'left'; person: string }
);

/** Numbers of the kinds on disk and on the wire. They stay for good. */
const KINDS = ['output', 'resize', 'gap', 'snapshot', 'joined', 'left'] as const;
const MAX_VARINT_BYTES = 8;

// Both are there in browsers and in Node.js, which share no types.
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Encodes the events of a chunk: for each the number of its kind, the milliseconds since the event before as varint (LEB128), and its
 * values. Texts and bytes are preceded by their length.
 * @param fromMs what the first time is relative to
 */
export function encodeEvents(events: readonly RecordedEvent[], fromMs: number): Uint8Array {
  const parts: Uint8Array[] = [];
  let last = fromMs;
  for (const event of events) {
    const at = Math.max(Math.trunc(event.atMs), last);
    parts.push(Uint8Array.of(KINDS.indexOf(event.kind)), varint(at - last), ...valuesOf(event));
    last = at;
  }
  return joined(parts);
}

/**
 * Decodes the events of a chunk.
 * @throws RangeError for bytes that are no events
 */
export function decodeEvents(bytes: Uint8Array, fromMs: number): RecordedEvent[] {
  const reader = new Reader(bytes);
  const events: RecordedEvent[] = [];
  let atMs = fromMs;
  while (!reader.done) {
    const kind = KINDS[reader.byte()];
    if (kind === undefined) throw new RangeError('expected events of a recording: unknown kind');
    atMs += reader.varint();
    events.push(readEvent(reader, kind, atMs));
  }
  return events;
}

/** Returns the offset of output after an event that begins at `offset`. */
export function offsetAfter(offset: number, event: RecordedEvent): number {
  if (event.kind === 'output') return offset + event.bytes.length;
  if (event.kind === 'gap') return offset + event.bytes;
  return event.kind === 'snapshot' ? event.offset : offset;
}

function valuesOf(event: RecordedEvent): Uint8Array[] {
  switch (event.kind) {
    case 'output':
      return lengthed(event.bytes);
    case 'resize':
      return [varint(event.cols), varint(event.rows)];
    case 'gap':
      return [varint(event.bytes), ...text(event.why)];
    case 'snapshot':
      return [varint(event.offset), varint(event.size.cols), varint(event.size.rows), ...text(event.data)];
    case 'joined':
    case 'left':
      return text(event.person);
  }
}

function readEvent(reader: Reader, kind: (typeof KINDS)[number], atMs: number): RecordedEvent {
  switch (kind) {
    case 'output':
      return { atMs, kind, bytes: reader.bytes() };
    case 'resize':
      return { atMs, kind, cols: reader.varint(), rows: reader.varint() };
    case 'gap':
      return { atMs, kind, bytes: reader.varint(), why: reader.text() };
    case 'snapshot': {
      const offset = reader.varint();
      const size = { cols: reader.varint(), rows: reader.varint() };
      return { atMs, kind, offset, size, data: reader.text() };
    }
    case 'joined':
    case 'left':
      return { atMs, kind, person: reader.text() };
  }
}

const text = (value: string) => lengthed(encoder.encode(value));
const lengthed = (bytes: Uint8Array): Uint8Array[] => [varint(bytes.length), bytes];

function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`expected a whole number, came ${value}`);
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

class Reader {
  private at = 0;
  private readonly whole: Uint8Array;

  constructor(whole: Uint8Array) {
    this.whole = whole;
  }

  get done(): boolean {
    return this.at === this.whole.length;
  }

  byte(): number {
    const value = this.whole[this.at++];
    if (value === undefined) throw new RangeError('expected events of a recording: they end early');
    return value;
  }

  varint(): number {
    let value = 0;
    for (let place = 0; place < MAX_VARINT_BYTES; place++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 0x80 ** place;
      if (byte < 0x80) return value;
    }
    throw new RangeError('expected events of a recording: a number is too long');
  }

  bytes(): Uint8Array {
    const length = this.varint();
    if (length > this.whole.length - this.at) throw new RangeError('expected events of a recording: they end early');
    this.at += length;
    return this.whole.subarray(this.at - length, this.at);
  }

  text(): string {
    return decoder.decode(this.bytes());
  }
}
