import { decodeEvents, type Size } from '@warren/rules/recordings/frames';
import type { RecordingSource } from '../player/source.ts';
import type { Timeline } from '../player/timeline.ts';
import { MarkCollector, type Mark } from './marks.ts';

/** Recordings with more bytes than this are not read as a whole for their marks. */
const MOST_BYTES = 33_554_432;

/** The marks that were found so far. */
export interface FoundMarks {
  marks: readonly Mark[];
  /** Up to this time; what is after it was not read, or not yet. */
  untilMs: number;
  isDone: boolean;
}

/** Reads a recording from its start for what is marked, chunk by chunk, and continues where it was when chunks are added. */
export class MarkScan {
  private readonly collector: MarkCollector;
  private next = 0;
  private bytes = 0;
  private isRunning = false;

  constructor(
    private readonly source: Pick<RecordingSource, 'chunk'>,
    private readonly timeline: Timeline,
    size: Size,
    private readonly onFound: (found: FoundMarks) => void,
  ) {
    this.collector = new MarkCollector(size);
  }

  /** Reads on to the last chunk. Rejects with what the source rejects with. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.next < this.timeline.count && this.bytes < MOST_BYTES && !signal.aborted) await this.readNext();
    } finally {
      this.isRunning = false;
    }
  }

  private async readNext(): Promise<void> {
    const { next, timeline, collector } = this;
    const before = collector.marks.length;
    const content = await this.source.chunk(next);
    collector.add(decodeEvents(content, timeline.beginOf(next) ?? 0));
    this.bytes += content.length;
    this.next += 1;
    const isDone = this.next >= timeline.count;
    const isFull = this.bytes >= MOST_BYTES;
    if (collector.marks.length === before && !isDone && !isFull) return;
    const untilMs = isDone ? timeline.durationMs : (timeline.beginOf(this.next) ?? timeline.durationMs);
    this.onFound({ marks: [...collector.marks], untilMs, isDone: isDone && collector.left === 0 });
  }
}
