/** Screens that a terminal remembers; an older one gets a count of 0. */
const WRITERS_MAX = 16;

/**
 * Counts the bytes that each screen has typed into a terminal. A reconnecting screen resumes from its count, so that a keystroke
 * in flight is typed exactly once.
 */
export class TypedInput {
  private counts = new Map<string, number>();

  /** Bytes typed by this writer so far. */
  of(writer: string): number {
    return this.counts.get(writer) ?? 0;
  }

  add(writer: string, bytes: number): void {
    if (writer === '') return;
    const count = this.of(writer) + bytes;
    // Moves the latest writer to the end, to be evicted last.
    this.counts.delete(writer);
    this.counts.set(writer, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > WRITERS_MAX && oldest !== undefined) this.counts.delete(oldest);
  }
}
