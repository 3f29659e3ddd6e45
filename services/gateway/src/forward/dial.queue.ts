import { Fault } from '@warren/platform/errors/fault';

export interface DialQueueLimits {
  /** Dials that are answered at the same time. */
  atOnce: number;
  /** Milliseconds that a dial may be expected to wait for its turn. */
  longestMs: number;
}

/** How much the last dials count in the mean time of a dial. */
const SMOOTHING = 0.1;
const FIRST_GUESS_MS = 10;

/**
 * The dials of agents, first come first served, a few at a time, so that browsers' sockets keep their share of the process. One
 * that would wait for too long is told when to come back instead, by how fast the queue moves now.
 */
export class DialQueue {
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private meanMs = FIRST_GUESS_MS;

  constructor(
    private readonly limits: DialQueueLimits,
    private readonly now = () => performance.now(),
  ) {}

  /** @throws Fault `unavailable` with the time to come back, and what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.limits.atOnce) await this.turn();
    else this.running++;
    const begun = this.now();
    try {
      const answer = await work();
      // What could not be brought to a replica says nothing of how fast replicas answer.
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
