/** A token bucket. */
export class Allowance {
  private tokens: number;
  private at: number;

  /**
   * @param perSecond refill rate
   * @param burst capacity, and initial tokens
   */
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly now = () => performance.now(),
  ) {
    this.tokens = burst;
    this.at = now();
  }

  /** @returns false if too few tokens are left */
  take(count = 1): boolean {
    // Reads the clock only when the bucket looks empty: most takes cost a subtraction.
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
