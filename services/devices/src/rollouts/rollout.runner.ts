import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RolloutOffers } from './rollout.offers.ts';
import { RolloutTurns } from './rollout.turns.ts';

const EVERY_MS = 1_000;

/** Moves rollouts on, a round each second. Any number of replicas may do so at once: rows are theirs for as long as they work on them. */
@Injectable()
export class RolloutRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RolloutRunner.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly turns: RolloutTurns,
    private readonly offers: RolloutOffers,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.tick(), EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private tick(): Promise<void> {
    this.running ??= this.round()
      .then(() => void (this.failing = false))
      .catch((error: unknown) => {
        if (!this.failing) this.log.warn({ err: error }, 'Moving rollouts on failed; again every second.');
        this.failing = true;
      })
      .finally(() => (this.running = undefined));
    return this.running;
  }

  private async round(): Promise<void> {
    await this.turns.take();
    await this.offers.make();
  }
}
