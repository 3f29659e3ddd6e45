const WORTH_LEARNING_MS = 20_000;

/**
 * The hub's time. A device without a battery-backed clock may wake up years in the past, and its tokens would be refused until it
 * learns the time; each answer of the hub tells it.
 */
export class HubClock {
  #offset = 0;
  #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Milliseconds since 1970, by the hub's clock as far as it is known. */
  now(): number {
    return this.#now() + this.#offset;
  }

  /**
   * Takes the Date header of an answer.
   * @returns true when it changed what `now` says
   */
  learn(date: string | undefined): boolean {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time) || Math.abs(time - this.now()) < WORTH_LEARNING_MS) return false;
    this.#offset = time - this.#now();
    return true;
  }
}
