import { setTimeout as wait } from 'node:timers/promises';

/** Bounds of a {@link RequestBatcher}. */
export interface BatchLimits {
  /** Maximum items of a batch. */
  batchSize: number;
  /** Maximum batches in flight. */
  concurrency: number;
  /** Milliseconds that a batch waits to fill; 0 by default. */
  lingerMs?: number;
  /** Milliseconds between an answer and the next batch, in which that fills; 0 by default. */
  restMs?: number;
}

interface Waiting<Q, A> {
  about: Q;
  resolve: (answer: A | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Batches requests. The first leaves at once, or after the linger; requests that arrive while batches are in flight or paused join the
 * next one. A single request so has no delay, and many share few batches.
 */
export class RequestBatcher<Q, A> {
  private waiting: Waiting<Q, A>[] = [];
  private running = 0;

  /** @param ask returns the answers in the order of its items; undefined for an item without one */
  constructor(
    private readonly ask: (about: Q[]) => Promise<(A | undefined)[]>,
    private readonly limits: BatchLimits,
  ) {}

  /** Requests that wait for a batch. */
  get length(): number {
    return this.waiting.length;
  }

  /**
   * @returns undefined if there is no answer
   * @throws what `ask` throws
   */
  get(about: Q): Promise<A | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ about, resolve, reject });
      if (this.running < this.limits.concurrency) void this.run();
    });
  }

  private async run(): Promise<void> {
    const { batchSize, lingerMs = 0, restMs = 0 } = this.limits;
    this.running++;
    while (this.waiting.length > 0) {
      if (lingerMs > 0 && this.waiting.length < batchSize) await wait(lingerMs);
      await this.next(this.waiting.splice(0, batchSize));
      if (restMs > 0 && this.waiting.length < batchSize) await wait(restMs);
    }
    this.running--;
  }

  private async next(batch: Waiting<Q, A>[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const answers = await this.ask(batch.map(({ about }) => about));
      batch.forEach(({ resolve }, index) => resolve(answers[index]));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
