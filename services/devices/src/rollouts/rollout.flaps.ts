import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { rolloutDevices } from '../telemetry/metrics.ts';
import { askGoneBack, countShown, failFlapping, hasOnFirstDay } from './rollout.flaps.sql.ts';
import { rolloutChanged, SHOWN_STATES } from './rollout.row.ts';
import { TRIAL_SECONDS } from './rollout.trial.ts';

const EVERY_MS = 10_000;

/** Finds devices on which a version flaps, without their word, and counts what became of devices. */
@Injectable()
export class RolloutFlaps implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: RolloutFlaps.name,
    everyMs: EVERY_MS,
    failed: 'Looking for versions that flap failed',
    round: () => this.look(),
  });

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(TRIAL_SECONDS) private readonly trialSeconds: number,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One look at all of them. */
  async look(): Promise<void> {
    if (await hasOnFirstDay(this.source)) await this.judge();
    const counts = await countShown(this.source);
    for (const state of SHOWN_STATES) rolloutDevices.set({ state }, counts.get(state) ?? 0);
  }

  private judge(): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const flapping = await failFlapping(manager, this.trialSeconds);
      const back = await askGoneBack(manager);
      for (const id of new Set([...flapping, ...back])) emit(rolloutChanged(id));
    });
  }
}
