/**
 * The last bytes of an endless stream, addressed by their offset from the stream's beginning. It starts small and doubles
 * up to its capacity, so that a shell at its prompt costs little.
 */
export class ReplayRing {
  readonly capacity: number;
  private buffer: Buffer;
  private first: number;
  private last: number;

  /**
   * @param capacity most bytes that are kept; a power of two times `initial`
   * @param start offset of the first byte
   */
  constructor(capacity: number, initial = Math.min(capacity, 16 * 1024), start = 0) {
    this.first = this.last = start;
    this.capacity = capacity;
    this.buffer = Buffer.allocUnsafeSlow(initial);
  }

  /** Offset of the oldest byte that can still be read. */
  get start(): number {
    return this.first;
  }

  /** Offset of the next byte: the count of all bytes so far. */
  get end(): number {
    return this.last;
  }

  /** Bytes of memory that it takes now. */
  get allocated(): number {
    return this.buffer.length;
  }

  append(bytes: Uint8Array): void {
    this.grow(this.last - this.first + bytes.length);
    const size = this.buffer.length;
    // A piece longer than the ring: only its tail fits.
    const tail = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
    const at = (this.last + bytes.length - tail.length) % size;
    const first = size - at;
    if (tail.length <= first) {
      this.buffer.set(tail, at);
    } else {
      this.buffer.set(tail.subarray(0, first), at);
      this.buffer.set(tail.subarray(first), 0);
    }
    this.last += bytes.length;
    this.first = Math.max(this.first, this.last - size);
  }

  /**
   * A copy of the bytes from `offset`, at most `max` of them.
   * @throws RangeError when `offset` is not between `start` and `end`
   */
  read(offset: number, max: number): Uint8Array<ArrayBuffer> {
    if (offset < this.first || offset > this.last) {
      throw new RangeError(`offset ${offset} is outside ${this.first} to ${this.last}`);
    }
    const length = Math.min(max, this.last - offset);
    const at = offset % this.buffer.length;
    const first = Math.min(length, this.buffer.length - at);
    const copy = Buffer.allocUnsafeSlow(length);
    copy.set(this.buffer.subarray(at, at + first));
    copy.set(this.buffer.subarray(0, length - first), first);
    return copy;
  }

  private grow(needed: number): void {
    let size = this.buffer.length;
    while (size < needed && size < this.capacity) size = Math.min(size * 2, this.capacity);
    if (size === this.buffer.length) return;
    const kept = this.read(this.first, this.last - this.first);
    const next = Buffer.allocUnsafeSlow(size);
    const at = this.first % size;
    const first = Math.min(kept.length, size - at);
    next.set(kept.subarray(0, first), at);
    next.set(kept.subarray(first), 0);
    this.buffer = next;
  }
}
