import { encodeEvents, offsetAfter, type RecordedEvent, type Size } from '@warren/rules/recordings/frames';
import type { RecordingSource, Snapshot } from '../features/recordings/player/source.ts';
import type { ReplayScreen } from '../features/recordings/player/terminal/terminal-stage.ts';
import type { ChunkPage } from '../features/recordings/player/timeline.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Output at a time, in milliseconds since the start. */
export const output = (atMs: number, text: string): RecordedEvent => ({
  atMs,
  kind: 'output',
  bytes: encoder.encode(text),
});

/** A recording in memory: a list of events for each chunk. */
export class FakeRecording implements RecordingSource {
  readonly read: number[] = [];
  snapshots: Snapshot[] = [];
  /** Rejects reads of chunks while it is set. */
  broken: Error | null = null;

  constructor(readonly chunks: RecordedEvent[][]) {}

  index = (from: number): Promise<ChunkPage> => {
    const offsets = [0];
    for (const events of this.chunks) offsets.push(events.reduce(offsetAfter, offsets.at(-1) ?? 0));
    const all = this.chunks.map((events, at) => ({
      offset: offsets[at] ?? 0,
      from: events[0]?.atMs ?? 0,
      to: events.at(-1)?.atMs ?? 0,
      size: this.encoded(at).length,
    }));
    const chunks = all.slice(from);
    return Promise.resolve({
      first: from,
      offsets: chunks.map(({ offset }) => offset),
      from: chunks.map((chunk) => chunk.from),
      to: chunks.map(({ to }) => to),
      sizes: chunks.map(({ size }) => size),
      end: offsets.at(-1) ?? 0,
      more: false,
    });
  };

  chunk = (sequence: number): Promise<Uint8Array> => {
    this.read.push(sequence);
    if (this.broken) return Promise.reject(this.broken);
    return Promise.resolve(this.encoded(sequence));
  };

  snapshot = (atMs: number): Promise<Snapshot | null> =>
    Promise.resolve(this.snapshots.findLast((one) => one.atMs <= atMs) ?? null);

  private encoded(sequence: number): Uint8Array {
    const events = this.chunks[sequence];
    if (!events) throw new RangeError(`there is no chunk ${sequence}`);
    return encodeEvents(events, events[0]?.atMs ?? 0);
  }
}

/** Remembers what is drawn since the last reset, and the size. */
export class TextScreen implements ReplayScreen {
  text = '';
  size: Size | null = null;

  write(data: Uint8Array | string, done: () => void): void {
    const text = typeof data === 'string' ? data : decoder.decode(data);
    this.text = text.startsWith('\x1bc') ? text.slice(2) : this.text + text;
    queueMicrotask(done);
  }

  resize({ cols, rows }: Size): void {
    this.size = { cols, rows };
  }
}
