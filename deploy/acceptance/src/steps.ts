import { setTimeout as wait } from 'node:timers/promises';

const AGAIN_MS = 1_000;

/** A required step failed; its line was printed. */
export class Stopped extends Error {}

/** The steps of a test, each with a line of output. */
export class Steps {
  private readonly deadline: number;
  private readonly say: (line: string) => void;
  private failures = 0;

  /** @param deadline end of retries, in milliseconds since 1970 */
  constructor(deadline: number, say: (line: string) => void) {
    this.deadline = deadline;
    this.say = say;
  }

  get failed(): number {
    return this.failures;
  }

  /** Runs an independent step: retries it until it succeeds or the deadline. Other steps run in both cases. */
  async check(what: string, work: () => Promise<unknown>): Promise<void> {
    await this.need(what, work).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
    });
  }

  /**
   * Runs a step that later ones need: retries it until it succeeds or the deadline.
   * @returns its result
   * @throws Stopped if it failed
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
