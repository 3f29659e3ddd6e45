import { Inject, Injectable } from '@nestjs/common';
import { retried } from '@warren/platform/database/retried';
import type { Sample } from '@warren/proto/fleet/v1/metrics';
import { DataSource } from 'typeorm';
import { encodeBatch, type Batch, type NewestTimes } from '../store/incoming.ts';
import { StoreKeeper } from '../store/keeper.ts';
import { latestOf } from './latest.ts';
import { insertReports, SAME_BOOT_SECONDS } from './report.sql.ts';

export const METRICS_HISTORY = Symbol('METRICS_HISTORY');

/** PostgreSQL's code for a row that no partition takes. */
const NO_PARTITION = '23514';

/** Stores reports. */
@Injectable()
export class ReportStore {
  constructor(
    private readonly source: DataSource,
    private readonly keeper: StoreKeeper,
    @Inject(METRICS_HISTORY) private readonly history: boolean,
  ) {}

  /**
   * Stores the samples of the devices that are known.
   * @returns by id of these devices, the time of the newest sample before these; 0 without one. No two processes get the same for one device
   */
  async store(batches: readonly Batch[]): Promise<NewestTimes> {
    try {
      return await retried(() => this.storeOnce(batches));
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_PARTITION) throw error;
      await this.keeper.createAhead(new Date());
      return this.storeOnce(batches);
    }
  }

  private async storeOnce(batches: readonly Batch[]): Promise<NewestTimes> {
    const boots = batches.flatMap(({ deviceId, samples }) => bootsOf(samples).map((at) => ({ deviceId, at })));
    return insertReports(this.source, {
      reports: batches.map(({ deviceId, samples }) => ({ deviceId, data: encodeBatch(samples) })),
      latest: batches.map(({ deviceId, samples }) => latestOf(deviceId, samples)),
      boots,
      history: this.history,
    });
  }
}

/** The boots that samples name, in seconds since 1970: times that are close are of one. */
function bootsOf(samples: readonly Sample[]): number[] {
  const times = samples.map(({ boot }) => boot).sort((a, b) => a - b);
  return times.filter((time, at) => time > 0 && time - (times[at - 1] ?? 0) > SAME_BOOT_SECONDS);
}
