import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { unstoredBytes } from '../telemetry/feed.metrics.ts';
import type { Appended, RecordingKind, RecordingWriter, SessionEnd } from '../writer.ts';
import type { RecordingBudget } from './budget.ts';
import { PendingEvents } from './pending.events.ts';

/** Small output is stored after this time; until then the agent keeps it. */
const FLUSH_MS = 5_000;
/** A chunk of a flood: four of them are what may be pending. */
const CHUNK_BYTES = 384 << 10;
/**
 * An open recording says so often that it lives; much less than the time after which it is closed or may be deleted. Nothing continues a
 * desktop whose process is gone.
 */
const TOUCH_MS = { terminal: 3_600_000, desktop: 60_000 } as const;
/** People hear of a store that takes longer for a chunk. */
const SLOW_MS = 2_000;

export interface RecordingEvents {
  /** All output before this offset is stored. */
  stored(offset: number): void;
  /** Whether the output waits for a slow store. */
  slow(isSlow: boolean): void;
  /** Whether to read on. */
  room(hasRoom: boolean): void;
  /** An append has failed: what is not stored has to come again. */
  failed(error: unknown): void;
}

/** An open recording: batches events into chunks, several of which are in flight to the store. */
export class Recording {
  readonly events: PendingEvents;
  private readonly appends = new Set<Promise<void>>();
  private appendedBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private slow: NodeJS.Timeout | undefined;
  readonly id: string;
  private readonly touching: NodeJS.Timeout;
  private over = false;
  private hadRoom = true;

  /**
   * @param startedAt milliseconds since 1970
   * @param next offset of the first byte that is not stored
   */
  constructor(
    { id, kind, startedAt, next }: { id: string; kind: RecordingKind; startedAt: number; next: number },
    private readonly writer: RecordingWriter,
    private readonly budget: RecordingBudget,
    private readonly owner: RecordingEvents,
  ) {
    this.id = id;
    this.touching = setInterval(() => void this.touch(), TOUCH_MS[kind]).unref();
    this.events = new PendingEvents(next, () => Math.max(0, Date.now() - startedAt));
  }

  /** To be called after events were added. */
  added(): void {
    if (this.events.isFull(Math.min(CHUNK_BYTES, this.budget.share / 4))) this.flush();
    else if (!this.events.isEmpty) this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
    this.measure();
  }

  /** Stores what has come, and closes the recording. @throws the error of the writer */
  async close(end: SessionEnd): Promise<void> {
    while (!this.over && (!this.events.isEmpty || this.appends.size > 0)) {
      this.flush();
      await Promise.race(this.appends);
    }
    if (this.over) throw new Error('the recording was stopped before it was closed');
    await this.writer.close(this.id, end);
    this.stop();
  }

  /** Stores what has come, and leaves the recording to another writer. Never rejects. */
  async handOver(): Promise<void> {
    try {
      while (!this.over && (!this.events.isEmpty || this.appends.size > 0)) {
        this.flush();
        await Promise.race(this.appends);
      }
    } catch {
      // It comes again to the next writer.
    }
    this.stop();
  }

  /** Stores nothing any more. */
  stop(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    clearTimeout(this.slow);
    clearInterval(this.touching);
    this.writer.release(this.id);
    unstoredBytes.dec(this.appendedBytes);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (!this.over && this.appends.size < RECORDING_LIMITS.pending) {
      const chunk = this.events.take();
      if (!chunk) return;
      this.append(chunk);
    }
  }

  private append(chunk: Appended): void {
    const { to } = chunk;
    const bytes = to - chunk.from;
    this.count(bytes);
    this.slow ??= setTimeout(() => this.owner.slow(true), SLOW_MS);
    const append = this.writer.append(this.id, chunk).then(
      () => this.appended(to, bytes),
      (error: unknown) => this.failed(error),
    );
    const tracked = append.finally(() => this.appends.delete(tracked));
    this.appends.add(tracked);
    void tracked.then(() => this.over || this.afterAppend());
  }

  private appended(to: number, bytes: number): void {
    if (this.over) return;
    this.count(-bytes);
    this.owner.stored(to);
    clearTimeout(this.slow);
    this.slow = undefined;
    this.owner.slow(false);
  }

  /** Appends what has come meanwhile. */
  private afterAppend(): void {
    this.added();
    if (this.appends.size > 0) this.slow ??= setTimeout(() => this.owner.slow(true), SLOW_MS);
  }

  private failed(error: unknown): void {
    if (this.over) return;
    this.stop();
    this.owner.failed(error);
  }

  /** A store that fails will be noticed by what is to be stored. */
  private async touch(): Promise<void> {
    await this.writer.touch(this.id).catch(() => {});
  }

  private count(bytes: number): void {
    this.appendedBytes += bytes;
    unstoredBytes.inc(bytes);
  }

  private measure(): void {
    const hasRoom = this.appendedBytes + this.events.bytes < this.budget.share;
    if (hasRoom === this.hadRoom) return;
    this.hadRoom = hasRoom;
    this.owner.room(hasRoom);
  }
}
