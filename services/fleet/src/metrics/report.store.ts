import { Inject, Injectable } from '@nestjs/common';
import { retried } from '@warren/platform/database/retried';
import { prepared } from '@warren/platform/database/prepared';
import type { Sample } from '@warren/proto/fleet/v1/metrics';
import { DataSource } from 'typeorm';
import { encodeBatch, type Batch } from '../store/incoming.ts';
import { StoreKeeper } from '../store/keeper.ts';
import { LATEST_DECLARED, LATEST_NAMES, latestOf } from './latest.ts';

export const METRICS_HISTORY = Symbol('METRICS_HISTORY');

/** A clock that is set moves the time of the boot a little. */
const SAME_BOOT_SECONDS = 60;
const near = (time: string) =>
  `${time} BETWEEN b.at - interval '${SAME_BOOT_SECONDS} seconds' AND b.at + interval '${SAME_BOOT_SECONDS} seconds'`;
/** A device can't fill the table. */
const MOST_BOOTS = 1_000;

/**
 * Locks the devices, in order against deadlocks, so that none is deleted meanwhile; stores the samples of those there are, and what is newer
 * than their latest.
 */
const STORE = `
  WITH known AS MATERIALIZED (
    SELECT id, sampled_at, booted_at FROM devices WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE
  ),
  stored AS (
    INSERT INTO incoming (device_id, data)
    SELECT b.id, b.data FROM unnest($1::uuid[], $2::bytea[]) AS b (id, data) JOIN known USING (id) WHERE $4
  ),
  latest AS (
    UPDATE devices d SET (${LATEST_NAMES.join()}) = ROW (${LATEST_NAMES.map((name) => `t.${name}`).join()})
    FROM jsonb_to_recordset($3) AS t (id uuid, ${LATEST_DECLARED.join()}), known k
    WHERE k.id = t.id AND d.id = t.id AND (k.sampled_at IS NULL OR k.sampled_at < t.sampled_at)
  ),
  booted AS (
    INSERT INTO boots (device_id, at)
    SELECT b.id, b.at FROM (SELECT id, to_timestamp(seconds) AS at FROM unnest($5::uuid[], $6::float8[]) AS s (id, seconds)) b
    JOIN known k ON k.id = b.id
    WHERE $4 AND (k.booted_at IS NULL OR NOT ${near('k.booted_at')})
      AND NOT EXISTS (SELECT FROM boots o WHERE o.device_id = b.id AND ${near('o.at')})
      AND (SELECT count(*) FROM boots o WHERE o.device_id = b.id) < ${MOST_BOOTS}
    ON CONFLICT DO NOTHING
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
    const boots = batches.flatMap(({ deviceId: id, samples }) => bootsOf(samples).map((boot) => ({ id, boot })));
    const rows = await this.source.query<{ id: string }[]>(prepared(STORE), [
      batches.map(({ deviceId }) => deviceId),
      batches.map(({ samples }) => encodeBatch(samples)),
      JSON.stringify(batches.map(({ deviceId, samples }) => latestOf(deviceId, samples))),
      this.history,
      boots.map(({ id }) => id),
      boots.map(({ boot }) => boot),
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}

/** The boots that samples name, in seconds since 1970: times that are close are of one. */
function bootsOf(samples: readonly Sample[]): number[] {
  const times = samples.map(({ boot }) => boot).sort((a, b) => a - b);
  return times.filter((time, at) => time > 0 && time - (times[at - 1] ?? 0) > SAME_BOOT_SECONDS);
}
