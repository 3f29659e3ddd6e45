import type { RecordedEvent } from '@warren/rules/recordings/frames';
import { ChunkCache } from './chunk-cache.ts';
import type { RecordingSource, Snapshot } from './source.ts';
import { Timeline } from './timeline.ts';

/** Reads a recording: its index, and the chunks that are needed. */
export class Reader {
  readonly timeline = new Timeline();
  private readonly cache: ChunkCache;
  private indexed = Promise.resolve();

  constructor(
    private readonly source: RecordingSource,
    cacheBytes?: number,
  ) {
    // A chunk may arrive before the index, which its times are relative to.
    const load = async (sequence: number) => (await Promise.all([source.chunk(sequence), this.indexed]))[0];
    this.cache = new ChunkCache(load, (sequence) => this.timeline.beginOf(sequence) ?? 0, cacheBytes);
  }

  /** Reads the chunks that the index does not have yet. */
  index(): Promise<void> {
    this.indexed = this.readIndex();
    return this.indexed;
  }

  snapshot(atMs: number): Promise<Snapshot | null> {
    return this.source.snapshot(atMs);
  }

  /** The events of a chunk if they are in memory. */
  peek(sequence: number): readonly RecordedEvent[] | undefined {
    return this.cache.peek(sequence);
  }

  events(sequence: number): Promise<readonly RecordedEvent[]> {
    return this.cache.get(sequence);
  }

  /** Has a chunk come before it is needed, where there is one. */
  prefetch(sequence: number): void {
    const isKnown = this.timeline.count === 0 || sequence < this.timeline.count;
    if (isKnown && !this.cache.peek(sequence)) this.cache.get(sequence).catch(() => undefined);
  }

  private async readIndex(): Promise<void> {
    for (let more = true; more;) {
      const page = await this.source.index(this.timeline.count);
      this.timeline.add(page);
      more = page.more && page.offsets.length > 0;
    }
  }
}
