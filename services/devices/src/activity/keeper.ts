import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { deleteUnusedKinds } from '../filters/kinds.sql.ts';
import { deleteCounts, deleteHistoryBatch } from '../history/history.sql.ts';
import { COUNTS_KEPT_HOURS, KEPT_HOURS } from '../history/history.ts';
import { TrendService } from './trend.service.ts';

const EVERY_MS = 60_000;
const BATCH = 5_000;
/** Maximum batches per round; the next round continues. */
const BATCHES = 200;

/** Samples the counts, and deletes history past its retention and kinds that no device has. Any number of replicas may run it concurrently. */
@Injectable()
export class HistoryKeeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: HistoryKeeper.name,
    everyMs: EVERY_MS,
    failed: 'Keeping the history failed',
    round: () => this.round(),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly trend: TrendService,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
    void this.rounds.now();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  private async round(): Promise<void> {
    await this.trend.sample();
    await this.sweep();
    await deleteUnusedKinds(this.source);
  }

  /** Deletes history past its retention, in batches that hold no lock for long. */
  async sweep(): Promise<void> {
    for (let batch = 0; batch < BATCHES && !this.stopping; batch++) {
      if ((await deleteHistoryBatch(this.source, KEPT_HOURS, BATCH)) < BATCH) break;
    }
    await deleteCounts(this.source, COUNTS_KEPT_HOURS);
  }
}
