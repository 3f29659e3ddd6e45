import { setTimeout as wait } from 'node:timers/promises';

/** Bounds of a {@link Gather}. */
export interface GatherLimits {
  /** Things in one question. */
  together: number;
  /** Questions under way at a time. */
  atOnce: number;
  /** Milliseconds that a question waits for others to join it; none if not given. */
  lingerMs?: number;
  /** Milliseconds between an answer and the next question, in which others join that; none if not given. */
  restMs?: number;
}

interface Waiting<Q, A> {
  about: Q;
  resolve: (answer: A | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Asks about many things in one question. The first is asked at once, or after its linger; what is wanted while questions are under
 * way, or at rest, waits for the next one, so a question costs nobody a delay who is alone, and a crowd few questions.
 */
export class Gather<Q, A> {
  private waiting: Waiting<Q, A>[] = [];
  private running = 0;

  /** @param ask the answers, in the order of what was asked; undefined where there is none */
  constructor(
    private readonly ask: (about: Q[]) => Promise<(A | undefined)[]>,
    private readonly limits: GatherLimits,
  ) {}

  /** @throws what `ask` throws; undefined when there is no answer */
  get(about: Q): Promise<A | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ about, resolve, reject });
      if (this.running < this.limits.atOnce) void this.run();
    });
  }

  private async run(): Promise<void> {
    const { together, lingerMs = 0, restMs = 0 } = this.limits;
    this.running++;
    while (this.waiting.length > 0) {
      if (lingerMs > 0 && this.waiting.length < together) await wait(lingerMs);
      await this.next(this.waiting.splice(0, together));
      if (restMs > 0 && this.waiting.length < together) await wait(restMs);
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
