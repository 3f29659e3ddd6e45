import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { RolloutOffers } from './rollout.offers.ts';
import { RolloutTurns } from './rollout.turns.ts';

const EVERY_MS = 1_000;
/** Rounds from one look to the next while no rollout runs. */
const IDLE_ROUNDS = 5;

/**
 * Moves rollouts on, a round each second; looks less often while there is nothing to move. Any number of replicas may do so at once: rows
 * are theirs for as long as they work on them.
 */
@Injectable()
export class RolloutRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: RolloutRunner.name,
    everyMs: EVERY_MS,
    failed: 'Moving rollouts on failed',
    round: () => this.round(),
  });
  /** Rounds to leave out. */
  private idle = 0;
  private changed = false;

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

  /** Has the next round look: a rollout was changed here. */
  wake(): void {
    this.changed = true;
  }

  private async round(): Promise<void> {
    if (!this.changed && this.idle > 0) {
      this.idle--;
      return;
    }
    this.changed = false;
    this.idle = 0;
    const running = await this.turns.take();
    const asked = await this.offers.make();
    if (running + asked === 0) this.idle = IDLE_ROUNDS - 1;
  }
}
