const BLOCK = 64 * 1024;
/** Free blocks that are kept for all desktops. */
const MOST_FREE = 64;

const free: Buffer[] = [];

/** Bytes that are not stored yet, in blocks that are used again. They are copied once, when they are added. */
export class UnstoredBytes {
  /** Offset of the first byte that is kept, and of the next one that is added. */
  start = 0;
  end = 0;
  private readonly blocks: Buffer[] = [];
  /** Offset at which the first block begins. */
  private base = 0;

  get length(): number {
    return this.end - this.start;
  }

  /** Bytes of memory that they take, a block at least. */
  get memory(): number {
    return Math.max(1, this.blocks.length) * BLOCK;
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const place = (this.end - this.base) % BLOCK;
      if (this.end - this.base === this.blocks.length * BLOCK)
        this.blocks.push(free.pop() ?? Buffer.allocUnsafeSlow(BLOCK));
      const count = Math.min(BLOCK - place, bytes.length - at);
      this.blocks.at(-1)?.set(bytes.subarray(at, at + count), place);
      this.end += count;
      at += count;
    }
  }

  /** Bytes from an offset on, as many as lie together; they stay until they are dropped. @throws RangeError outside of what is kept */
  piece(from: number): Buffer {
    if (from < this.start || from > this.end)
      throw new RangeError(`expected ${this.start} to ${this.end}, came ${from}`);
    const place = (from - this.base) % BLOCK;
    const block = this.blocks[(from - this.base - place) / BLOCK];
    return block?.subarray(place, Math.min(BLOCK, place + this.end - from)) ?? Buffer.alloc(0);
  }

  /** Drops the bytes before an offset, which nobody reads any more. */
  drop(before: number): void {
    this.start = Math.max(this.start, Math.min(before, this.end));
    while (this.base + BLOCK <= this.start) {
      const block = this.blocks.shift();
      this.base += BLOCK;
      if (block && free.length < MOST_FREE) free.push(block);
    }
  }

  /** Drops all bytes. */
  clear(): void {
    this.blocks.length = 0;
    this.start = this.base = this.end;
  }
}
