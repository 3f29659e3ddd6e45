import { Fault } from '@warren/platform/errors/fault';

export interface DialQueueLimits {
  /** Dials that are checked at the same time. */
  atOnce: number;
  /** Longest expected wait, in milliseconds. */
  longestMs: number;
}

/** Weight of the last dial in the moving average of how long a dial takes. */
const SMOOTHING = 0.1;
const FIRST_GUESS_MS = 10;

/**
 * Queues agents' dials, first come first served, a few at a time, so that browsers' sockets keep their share of the process. A dial
 * that would wait for too long is refused, with the time after which the queue will have moved on.
 */
export class DialQueue {
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private meanMs = FIRST_GUESS_MS;

  constructor(
    private readonly limits: DialQueueLimits,
    private readonly now = () => performance.now(),
  ) {}

  /** Dials that wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** Runs `work` in its turn. @throws Fault `unavailable` with the time to come back, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.atOnce) await this.turn();
    else this.running++;
    const begun = this.now();
    try {
      const answer = await work();
      // A refused dial says nothing of how long a good one takes.
      this.meanMs += (this.now() - begun - this.meanMs) * SMOOTHING;
      return answer;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private turn(): Promise<void> {
    const expectedMs = (this.waiting.length * this.meanMs) / this.limits.atOnce;
    if (expectedMs <= this.limits.longestMs) return new Promise((resolve) => this.waiting.push(resolve));
    const retryAfter = Math.ceil(expectedMs / 1_000);
    throw new Fault('unavailable', 'Too many devices dial at once.', { retryAfter });
  }
}
