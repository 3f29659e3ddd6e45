import { Inject, Injectable } from '@nestjs/common';
import { retried } from '@warren/platform/database/retried';
import { prepared } from '@warren/platform/database/prepared';
import { DataSource } from 'typeorm';
import { encodeBatch, type Batch } from '../store/incoming.ts';
import { StoreKeeper } from '../store/keeper.ts';
import { LATEST_DECLARED, LATEST_NAMES, latestOf } from './latest.ts';

export const METRICS_HISTORY = Symbol('METRICS_HISTORY');

/**
 * Locks the devices, in order against deadlocks, so that none is deleted meanwhile; stores the samples of those there are, and what is newer
 * than their latest.
 */
const STORE = `
  WITH known AS MATERIALIZED (
    SELECT id, sampled_at FROM devices WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
  ),
  stored AS (
    INSERT INTO incoming (device_id, data)
    SELECT b.id, b.data FROM unnest($1::uuid[], $2::bytea[]) AS b (id, data) JOIN known USING (id) WHERE $4
  ),
  latest AS (
    UPDATE devices d SET (${LATEST_NAMES.join()}) = ROW (${LATEST_NAMES.map((name) => `t.${name}`).join()})
    FROM jsonb_to_recordset($3) AS t (id uuid, ${LATEST_DECLARED.join()}), known k
    WHERE k.id = t.id AND d.id = t.id AND (k.sampled_at IS NULL OR k.sampled_at < t.sampled_at)
  )
  SELECT id FROM known`;

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

  /** @returns the ids of the devices that are known, whose samples are stored */
  async store(batches: readonly Batch[]): Promise<Set<string>> {
    try {
      return await retried(() => this.storeOnce(batches));
    } catch (error) {
      if ((error as { code?: unknown }).code !== NO_PARTITION) throw error;
      await this.keeper.createAhead(new Date());
      return this.storeOnce(batches);
    }
  }

  private async storeOnce(batches: readonly Batch[]): Promise<Set<string>> {
    const rows = await this.source.query<{ id: string }[]>(prepared(STORE), [
      batches.map(({ deviceId }) => deviceId),
      batches.map(({ samples }) => encodeBatch(samples)),
      JSON.stringify(batches.map(({ deviceId, samples }) => latestOf(deviceId, samples))),
      this.history,
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}
