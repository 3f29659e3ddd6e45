import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { RolloutOffers } from './rollout.offers.ts';
import { RolloutTurns } from './rollout.turns.ts';

const EVERY_MS = 1_000;

/** Moves rollouts on, a round each second. Any number of replicas may do so at once: rows are theirs for as long as they work on them. */
@Injectable()
export class RolloutRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: RolloutRunner.name,
    everyMs: EVERY_MS,
    failed: 'Moving rollouts on failed',
    round: () => this.round(),
  });

  constructor(
    private readonly turns: RolloutTurns,
    private readonly offers: RolloutOffers,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(): Promise<void> {
    await this.turns.take();
    await this.offers.make();
  }
}
