/** Screens that a session remembers; who comes back later than that many others is told 0. */
const WRITERS_MAX = 16;

/**
 * How many bytes each screen has typed into a session. A screen that comes back after a break is told its count and goes on from
 * there, so that a keystroke that was under way is typed once: not twice, and not left out.
 */
export class TypedInput {
  #counts = new Map<string, number>();

  /** Bytes that this writer has typed until now. */
  of(writer: string): number {
    return this.#counts.get(writer) ?? 0;
  }

  add(writer: string, bytes: number): void {
    if (writer === '') return;
    const count = this.of(writer) + bytes;
    // The one that typed last is the last to be forgotten.
    this.#counts.delete(writer);
    this.#counts.set(writer, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > WRITERS_MAX && oldest !== undefined) this.#counts.delete(oldest);
  }
}
