import { setTimeout as wait } from 'node:timers/promises';

const AGAIN_MS = 1_000;

/** A step that later ones need has failed; its line is out already. */
export class Stopped extends Error {}

/** Steps of a test, each with a line that says how it went. */
export class Steps {
  private readonly deadline: number;
  private readonly say: (line: string) => void;
  private failures = 0;

  /** @param deadline milliseconds since 1970, until which a step is tried again */
  constructor(deadline: number, say: (line: string) => void) {
    this.deadline = deadline;
    this.say = say;
  }

  get failed(): number {
    return this.failures;
  }

  /** A step by itself: tried until it goes well or the time is up, and the others are taken either way. */
  async check(what: string, work: () => Promise<unknown>): Promise<void> {
    await this.need(what, work).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
    });
  }

  /**
   * A step that the next ones stand on, tried until it goes well or the time is up.
   * @returns what it came to
   * @throws Stopped when it failed
   */
  async need<T>(what: string, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await work();
        this.say(`ok      ${what}`);
        return value;
      } catch (error) {
        if (Date.now() + AGAIN_MS < this.deadline) {
          await wait(AGAIN_MS);
          continue;
        }
        this.failures++;
        this.say(`not ok  ${what}: ${error instanceof Error ? error.message : String(error)}`);
        throw new Stopped(what);
      }
    }
  }
}
