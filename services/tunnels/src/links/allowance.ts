/** A token bucket. */
export class Allowance {
  private tokens: number;
  private at: number;

  /**
   * @param perSecond tokens that come in a second
   * @param burst tokens that it holds at most, and at the start
   */
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly now = () => performance.now(),
  ) {
    this.tokens = burst;
    this.at = now();
  }

  /** @returns false when there are too few left */
  take(count = 1): boolean {
    // The clock is read when the bucket looks empty: most takes cost a subtraction.
    if (this.tokens < count) this.refill();
    this.tokens -= count;
    return this.tokens >= 0;
  }

  private refill(): void {
    const now = this.now();
    this.tokens = Math.min(this.burst, Math.max(0, this.tokens) + ((now - this.at) / 1_000) * this.perSecond);
    this.at = now;
  }
}
