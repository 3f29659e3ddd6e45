import { Logger } from '@nestjs/common';

export interface RoundsOptions {
  /** The class that does the work, for the log. */
  of: string;
  everyMs: number;
  /** The log message for a failed round. */
  failed: string;
  round: () => Promise<void>;
}

/** Repeats work at an interval. Rounds never overlap; of consecutive failures only the first is logged. */
export class Rounds {
  private readonly log: Logger;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(private readonly options: RoundsOptions) {
    this.log = new Logger(options.of);
  }

  /** Starts the first round after `everyMs`. */
  start(): void {
    this.timer = setInterval(() => void this.now(), this.options.everyMs);
  }

  /** Starts no further round; resolves when the running one has finished. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Runs a round at once, or waits for the running one. Never rejects. */
  now(): Promise<void> {
    this.running ??= this.tryOnce().finally(() => (this.running = undefined));
    return this.running;
  }

  private async tryOnce(): Promise<void> {
    try {
      await this.options.round();
      this.failing = false;
    } catch (error) {
      if (!this.failing) this.log.warn({ err: error, retry_ms: this.options.everyMs }, this.options.failed);
      this.failing = true;
    }
  }
}
