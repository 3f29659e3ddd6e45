import { Logger } from '@nestjs/common';

export interface RoundsOptions {
  /** The class whose work it is, as the log names it. */
  of: string;
  everyMs: number;
  /** What the log says of a round that failed: what waits now. */
  failed: string;
  round: () => Promise<void>;
}

/** Work that is done again and again. Rounds never overlap; of failures in a row the first is logged, and the next round tries again. */
export class Rounds {
  private readonly log: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(private readonly options: RoundsOptions) {
    this.log = new Logger(options.of);
  }

  /** The first round comes after `everyMs`. */
  start(): void {
    this.timer = setInterval(() => void this.now(), this.options.everyMs);
  }

  /** No further round begins; resolves when the running one has come to its end. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** A round at once, or the end of the one that runs. Never rejects. */
  now(): Promise<void> {
    this.running ??= this.tryOnce().finally(() => (this.running = undefined));
    return this.running;
  }

  private async tryOnce(): Promise<void> {
    try {
      await this.options.round();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn({ err: error }, `${this.options.failed}; again in ${this.options.everyMs} ms.`);
      this.failing = true;
    }
  }
}
