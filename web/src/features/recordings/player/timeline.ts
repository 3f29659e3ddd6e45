/** A page of a recording's index, as the hub gives it: one value in each list for each chunk. */
export interface ChunkPage {
  /** Sequence of the first chunk. */
  first: number;
  /** Of the first byte of output of each chunk. */
  offsets: number[];
  /** When each begins and ends, in milliseconds since the start. */
  from: number[];
  to: number[];
  /** Bytes of each as it is decoded. */
  sizes: number[];
  /** Offset after the last one. */
  end: number;
  more: boolean;
}

/** Where each chunk of a recording begins and ends. Grows while the session is live. */
export class Timeline {
  private readonly offsets: number[] = [];
  private readonly from: number[] = [];
  private readonly to: number[] = [];
  private readonly sizes: number[] = [];

  /** Adds a page; chunks that are known already are left out. */
  add({ first, offsets, from, to, sizes }: ChunkPage): void {
    if (first > this.count) throw new RangeError(`expected chunks from ${this.count} on, came ${first}`);
    const known = this.count - first;
    this.offsets.push(...offsets.slice(known));
    this.from.push(...from.slice(known));
    this.to.push(...to.slice(known));
    this.sizes.push(...sizes.slice(known));
  }

  get count(): number {
    return this.offsets.length;
  }

  /** Milliseconds from the start to the end of the last chunk. */
  get durationMs(): number {
    return this.to.at(-1) ?? 0;
  }

  /** Bytes of all chunks as they are decoded. */
  get bytes(): number {
    return this.between(0, this.count);
  }

  /** The last chunk that begins at a time or before it; the first chunk for an earlier time. */
  chunkAt(ms: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.from[middle] ?? 0) <= ms) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** When a chunk begins; undefined after the last one. */
  beginOf(sequence: number): number | undefined {
    return this.from[sequence];
  }

  offsetOf(sequence: number): number {
    return this.offsets[sequence] ?? 0;
  }

  /** Decoded bytes of the chunks from `first` up to `end`, exclusive. */
  between(first: number, end: number): number {
    return this.sizes.slice(first, end).reduce((sum, size) => sum + size, 0);
  }
}
