import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { historyKept } from '../telemetry/metrics.ts';
import { Compactor } from './compactor.ts';
import { afterKeeper, asKeeper } from './keeper.lock.ts';
import { deleteBoots } from './keeper.sql.ts';
import { createPartitions, dropPartition, partitionsOf, spanStart, type Partition } from './partitions.ts';

const EVERY_MS = 60_000;
/** Days that are kept besides the present one. */
const SAMPLE_DAYS = 2;
const FIVE_MINUTE_DAYS = 30;

export const METRICS_MONTHS = Symbol('METRICS_MONTHS');

/** Creates partitions ahead, makes chunks, and drops what is past its retention. Any number of replicas may run it; one works at a time. */
@Injectable()
export class StoreKeeper implements OnModuleInit, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: StoreKeeper.name,
    everyMs: EVERY_MS,
    failed: 'Keeping the history of metrics failed',
    round: () => this.round(new Date()),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly compactor: Compactor,
    @Inject(METRICS_MONTHS) private readonly months: number,
  ) {}

  /** There is a partition to write to before the first call comes. */
  async onModuleInit(): Promise<void> {
    await this.createAhead(new Date());
    this.rounds.start();
    void this.rounds.now();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** Waits for a replica that does so at the same time. */
  createAhead(now: Date): Promise<void> {
    return afterKeeper(this.source, (manager) => createPartitions(manager, now));
  }

  async round(now: Date): Promise<void> {
    const goesOn = () => !this.stopping;
    await asKeeper(this.source, (manager) => createPartitions(manager, now));
    // What is to be summed up is not dropped before.
    if (!(await this.compactor.compact(now, goesOn)) || !(await this.compactor.sumUp(now, goesOn))) return;
    await this.drop('samples', spanStart(now, 'day', -SAMPLE_DAYS));
    await this.drop('five_minutes', spanStart(now, 'day', -FIVE_MINUTE_DAYS));
    await this.drop('hours', spanStart(now, 'month', -this.months));
    await deleteBoots(this.source, spanStart(now, 'month', -this.months));
    historyKept.setToCurrentTime();
  }

  /** Drops the partitions that end by then, each in a transaction. */
  private async drop(table: Partition['table'], before: Date): Promise<void> {
    for (const partition of await partitionsOf(this.source, table))
      if (partition.to <= before && !this.stopping)
        await asKeeper(this.source, (manager) => dropPartition(manager, partition));
  }
}
