const BEAT_MS = 100;

/**
 * Starts queued items at a limited rate, first in, first out. Waiting costs a place in a list and no timer, so a whole fleet may wait.
 */
export class Pace<T> {
  private readonly waiting = new Map<string, T>();
  private timer: NodeJS.Timeout | undefined;
  /** How many may start now. */
  private room = 0;
  private refilledAt = Number.NEGATIVE_INFINITY;

  /**
   * @param begin starts an item; must not throw
   * @param perSecond the current rate; the items of one second start at once
   */
  constructor(
    private readonly begin: (item: T) => void,
    private readonly perSecond: () => number,
    private readonly now = () => performance.now(),
  ) {}

  /** @param name of the item: replaces a waiting item of this name */
  add(name: string, item: T): void {
    this.waiting.set(name, item);
    if (!this.timer) this.beat();
  }

  private beat(): void {
    this.refill();
    for (const [name, item] of this.waiting) {
      if (this.room < 1) break;
      this.room--;
      this.waiting.delete(name);
      this.begin(item);
    }
    this.timer = this.waiting.size > 0 ? setTimeout(() => this.beat(), BEAT_MS).unref() : undefined;
  }

  private refill(): void {
    const now = this.now();
    const rate = this.perSecond();
    const seconds = Math.min(1, Math.max(0, (now - this.refilledAt) / 1_000));
    this.refilledAt = now;
    this.room = Math.min(Math.max(rate, 1), this.room + rate * seconds);
  }
}
