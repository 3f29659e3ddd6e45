import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { offsetAfter, type Size } from '@warren/rules/recordings/frames';
import type { Appended, RecordedEvent } from '../writer.ts';

/** Events of a chunk; more are a flood, whose next chunk follows at once. */
const MOST_EVENTS = 4_096;
/** What an event takes besides its bytes: kind, time, lengths. */
const EVENT_BYTES = 32;
/** Output of the same moment is one event. */
const MOMENT_MS = 5;
const LARGEST_MERGED = 64 * 1024;
const LARGEST_CHUNK = RECORDING_LIMITS.chunkBytes - 64 * 1024;
const CELLS_MAX = 1_000;
const MOST_WHY = 300;
const LEFT_BUFFER = 'it left the replay buffer of the device before it was recorded';

/** The stream of a device broke its rules. */
export class WrongOffset extends Error {}

/** What a recorder has received and not given to the writer yet, in order. */
export class PendingEvents {
  /** Bytes that the events take, about. */
  bytes = 0;
  private events: RecordedEvent[] = [];
  /** Offset of the first event. */
  private from: number;

  /**
   * @param next offset of the next byte that is expected
   * @param now milliseconds since the start of the session
   */
  constructor(
    public next: number,
    private readonly now: () => number,
  ) {
    this.from = next;
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Whether a chunk is due, whatever its age. */
  isFull(bytes: number): boolean {
    return this.bytes >= bytes || this.events.length >= MOST_EVENTS;
  }

  /** @throws WrongOffset for output that came before */
  output(offset: number, bytes: Uint8Array): void {
    this.skipTo(offset);
    this.next = offset + bytes.length;
    if (bytes.length > 0) this.push({ atMs: this.now(), kind: 'output', bytes });
  }

  /** Adds a size; of several without output between them, the last one counts. */
  resize(untrusted: Partial<Size> | undefined): void {
    const size = sizeOf(untrusted);
    const last = this.events.at(-1);
    if (last?.kind === 'resize') Object.assign(last, { atMs: this.now(), ...size });
    else this.push({ atMs: this.now(), kind: 'resize', ...size });
  }

  /** @throws WrongOffset for a snapshot of output that came before */
  snapshot(offset: number, data: Uint8Array, untrusted: Partial<Size> | undefined): void {
    this.skipTo(offset);
    const text = Buffer.from(data).toString('utf8');
    this.push({ atMs: this.now(), kind: 'snapshot', offset, data: text, size: sizeOf(untrusted) });
  }

  /** Adds that output is missing from here on. */
  gap(bytes: number, why: string): void {
    if (!Number.isSafeInteger(this.next + bytes)) throw new WrongOffset(`expected a gap, came ${bytes}`);
    this.push({ atMs: this.now(), kind: 'gap', bytes, why: why.slice(0, MOST_WHY) });
    this.next += bytes;
  }

  person(kind: 'joined' | 'left', person: string): void {
    this.push({ atMs: this.now(), kind, person });
  }

  /** Takes the next chunk; undefined without events. */
  take(): Appended | undefined {
    if (this.isEmpty) return undefined;
    let size = 0;
    let count = 0;
    for (const event of this.events) {
      size += sizeOfEvent(event);
      if (count > 0 && size > LARGEST_CHUNK) break;
      count++;
    }
    const taken = this.events.splice(0, count);
    for (const event of taken) this.bytes -= sizeOfEvent(event);
    const from = this.from;
    this.from = taken.reduce(offsetAfter, from);
    return { from, to: this.from, events: merged(taken) };
  }

  private skipTo(offset: number): void {
    if (!Number.isSafeInteger(offset) || offset < this.next)
      throw new WrongOffset(`expected output at ${this.next}, came ${offset}`);
    const bytes = offset - this.next;
    if (bytes > 0) this.push({ atMs: this.now(), kind: 'gap', bytes, why: LEFT_BUFFER });
    this.next = offset;
  }

  private push(event: RecordedEvent): void {
    this.events.push(event);
    this.bytes += sizeOfEvent(event);
  }
}

const cells = (count = 0) => Math.min(Math.max(Math.trunc(count), 1), CELLS_MAX);

/** Bounds a size that a device says. */
export const sizeOf = (untrusted: Partial<Size> | undefined): Size => ({
  cols: cells(untrusted?.cols),
  rows: cells(untrusted?.rows),
});

function sizeOfEvent(event: RecordedEvent): number {
  if (event.kind === 'output') return event.bytes.length + EVENT_BYTES;
  if (event.kind === 'snapshot') return Buffer.byteLength(event.data) + EVENT_BYTES;
  if (event.kind === 'gap') return event.why.length + EVENT_BYTES;
  return (event.kind === 'resize' ? 0 : Buffer.byteLength(event.person)) + EVENT_BYTES;
}

/** Joins output of the same moment. */
function merged(events: readonly RecordedEvent[]): RecordedEvent[] {
  const all: RecordedEvent[] = [];
  let pieces: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    const last = all.at(-1);
    if (last?.kind === 'output' && pieces.length > 1) last.bytes = Buffer.concat(pieces);
    [pieces, size] = [[], 0];
  };
  for (const event of events) {
    const last = all.at(-1);
    const joins = event.kind === 'output' && last?.kind === 'output' && event.atMs - last.atMs < MOMENT_MS;
    if (joins && size + event.bytes.length <= LARGEST_MERGED) {
      pieces.push(event.bytes);
      size += event.bytes.length;
      continue;
    }
    flush();
    all.push({ ...event });
    if (event.kind === 'output') [pieces, size] = [[event.bytes], event.bytes.length];
  }
  flush();
  return all;
}
