const BEAT_MS = 100;

/**
 * Lets what came at once begin a few at a time, first come first served. Who waits costs a place in a list, no timer: a whole fleet
 * may.
 */
export class Pace<T> {
  private readonly waiting = new Map<string, T>();
  private timer: NodeJS.Timeout | undefined;
  /** How many may begin now. */
  private room = 0;
  private refilledAt = Number.NEGATIVE_INFINITY;

  /**
   * @param begin what to do when its turn has come; must not throw
   * @param perSecond how many may begin in a second, as things are now; those of one second at once
   */
  constructor(
    private readonly begin: (item: T) => void,
    private readonly perSecond: () => number,
    private readonly now = () => performance.now(),
  ) {}

  /** @param name whose turn it is: an item that still waits under it is replaced */
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
