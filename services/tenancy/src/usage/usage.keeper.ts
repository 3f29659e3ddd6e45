import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { OLD_ROWS } from './usage.sql.ts';

const EVERY_MS = 600_000;
const BATCH = 5_000;
/** Maximum batches of a table per round; the next round continues. */
const BATCHES = 200;
/** Removes usage that is older than what is kept, in batches that hold no lock for long. Any number of replicas may do so at once. */
@Injectable()
export class UsageKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: UsageKeeper.name,
    everyMs: EVERY_MS,
    failed: 'Removing old usage failed',
    round: () => this.sweep(),
  });
  private stopping = false;

  constructor(private readonly source: DataSource) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  async sweep(): Promise<void> {
    for (const remove of OLD_ROWS) {
      for (let batch = 0; batch < BATCHES && !this.stopping; batch++)
        if ((await remove(this.source, BATCH)) < BATCH) break;
    }
  }
}
