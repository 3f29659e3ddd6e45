import { Fault } from '@warren/platform/errors/fault';

export interface AgentDialQueueLimits {
  /** Dials that are checked at the same time. */
  atOnce: number;
  /** Longest expected wait, in milliseconds. */
  longestMs: number;
}

/** Weight of the last dial in the moving average of how long a dial takes. */
const SMOOTHING = 0.1;
const FIRST_GUESS_MS = 10;

/**
 * Queues dials first in, first out, with a concurrency limit, so that browsers' sockets keep their share of the process. Refuses a dial
 * with too long an expected wait, with the time to retry after.
 */
export class AgentDialQueue {
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private meanMs = FIRST_GUESS_MS;

  constructor(
    private readonly limits: AgentDialQueueLimits,
    private readonly now = () => performance.now(),
  ) {}

  /** Waiting dials. */
  get length(): number {
    return this.waiting.length;
  }

  /** Runs `work` in its turn. @throws Fault `unavailable` with the time to retry after, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.atOnce) await this.turn();
    else this.running++;
    const begun = this.now();
    try {
      const answer = await work();
      // A refused dial says nothing about the duration of a good one.
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
