const WORTH_LEARNING_MS = 20_000;

/**
 * The hub's time. A device without a battery-backed clock may boot years in the past, and its tokens would be refused until it
 * learns the time from a response of the hub.
 */
export class HubClock {
  private offset = 0;
  private ownNow: () => number;

  constructor(now: () => number = Date.now) {
    this.ownNow = now;
  }

  /** Milliseconds since 1970 by the hub's clock, as far as it is known. */
  now(): number {
    return this.ownNow() + this.offset;
  }

  /**
   * Adopts the Date header of a response.
   * @returns true when it changed the result of `now`
   */
  learn(date: string | undefined): boolean {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time) || Math.abs(time - this.now()) < WORTH_LEARNING_MS) return false;
    this.offset = time - this.ownNow();
    return true;
  }
}
