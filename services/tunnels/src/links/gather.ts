/** Bounds of a {@link Gather}. */
export interface GatherLimits {
  /** Ids in one question. */
  together: number;
  /** Questions under way at a time. */
  atOnce: number;
}

interface Waiting<T> {
  id: string;
  resolve: (found: T | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Asks for many things in one question. The first is asked for at once; what is wanted while questions are under way waits for the
 * next one, so a question costs nobody a delay who is alone, and a crowd few questions.
 */
export class Gather<T> {
  private waiting: Waiting<T>[] = [];
  private running = 0;

  /** @param ask the answers by id; an id that is unknown has none */
  constructor(
    private readonly ask: (ids: string[]) => Promise<ReadonlyMap<string, T>>,
    private readonly limits: GatherLimits,
  ) {}

  /** @throws what `ask` throws; undefined when the id is unknown */
  get(id: string): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ id, resolve, reject });
      if (this.running < this.limits.atOnce) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running++;
    while (this.waiting.length > 0) await this.next(this.waiting.splice(0, this.limits.together));
    this.running--;
  }

  private async next(batch: Waiting<T>[]): Promise<void> {
    try {
      const found = await this.ask([...new Set(batch.map(({ id }) => id))]);
      for (const { id, resolve } of batch) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
