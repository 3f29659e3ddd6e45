/** Spreads what comes at once over time: the first second's worth at once, then each in its turn. */
export class Pace {
  private next = Number.NEGATIVE_INFINITY;

  /** @param perSecond how many may begin in a second */
  constructor(private readonly perSecond: number) {}

  /**
   * Takes the next turn.
   * @param now milliseconds by any clock that never goes back
   * @returns milliseconds until that turn; 0 for now
   */
  wait(now: number): number {
    this.next = Math.max(this.next + 1_000 / this.perSecond, now - 1_000);
    return Math.max(0, this.next - now);
  }
}
