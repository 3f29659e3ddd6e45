import { decodeEvents, type RecordedEvent } from '@warren/rules/recordings/frames';

/** Decoded chunks that stay in memory, in bytes. */
const CACHE_BYTES = 6 * 1_048_576;
/** What an event takes beside its bytes, roughly. */
const EVENT_BYTES = 120;

interface Entry {
  events: RecordedEvent[];
  bytes: number;
}

/** Decodes chunks, and keeps those that were used last, up to a number of bytes; at least one. */
export class ChunkCache {
  private readonly entries = new Map<number, Entry>();
  private readonly loading = new Map<number, Promise<RecordedEvent[]>>();
  private held = 0;

  /**
   * @param load reads the encoded events of a chunk
   * @param beginOf when a chunk begins, in milliseconds since the start
   */
  constructor(
    private readonly load: (sequence: number) => Promise<Uint8Array>,
    private readonly beginOf: (sequence: number) => number,
    private readonly limit = CACHE_BYTES,
  ) {}

  get bytes(): number {
    return this.held;
  }

  /** The events of a chunk if it is in memory. */
  peek(sequence: number): RecordedEvent[] | undefined {
    const entry = this.entries.get(sequence);
    if (!entry) return undefined;
    // The order of a map is the order in which its entries were used.
    this.entries.delete(sequence);
    this.entries.set(sequence, entry);
    return entry.events;
  }

  /** The events of a chunk. Several calls for one chunk load it once. Rejects with what the loader rejects with. */
  get(sequence: number): Promise<RecordedEvent[]> {
    const known = this.peek(sequence);
    if (known) return Promise.resolve(known);
    const coming = this.loading.get(sequence) ?? this.fetch(sequence);
    this.loading.set(sequence, coming);
    return coming;
  }

  private async fetch(sequence: number): Promise<RecordedEvent[]> {
    try {
      const bytes = await this.load(sequence);
      const events = decodeEvents(bytes, this.beginOf(sequence));
      this.keep(sequence, { events, bytes: bytes.length + events.length * EVENT_BYTES });
      return events;
    } finally {
      this.loading.delete(sequence);
    }
  }

  private keep(sequence: number, entry: Entry): void {
    this.entries.set(sequence, entry);
    this.held += entry.bytes;
    for (const [oldest, { bytes }] of this.entries) {
      if (this.held <= this.limit || this.entries.size === 1) break;
      this.entries.delete(oldest);
      this.held -= bytes;
    }
  }
}
