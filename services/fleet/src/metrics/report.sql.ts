import { prepared } from '@warren/platform/database/prepared';
import type { Sql } from '@warren/platform/database/sql';
import type { NewestTimes } from '../store/incoming.ts';
import { LATEST_DECLARED, LATEST_NAMES } from './latest.ts';

/** Reports of devices, one of each. */
export interface Reports {
  /** Samples as a row of `incoming` has them. */
  reports: readonly { deviceId: string; data: Buffer }[];
  /** The newest sample of each device, as a row for `jsonb_to_recordset`. */
  latest: readonly (Record<string, unknown> | undefined)[];
  /** Times of boots, in seconds since 1970. */
  boots: readonly { deviceId: string; at: number }[];
  /** Whether samples and boots are kept. */
  history: boolean;
}

/** A clock that is set moves the time of the boot a little. */
export const SAME_BOOT_SECONDS = 60;
const near = (time: string) =>
  `${time} BETWEEN b.at - interval '${SAME_BOOT_SECONDS} seconds' AND b.at + interval '${SAME_BOOT_SECONDS} seconds'`;
/** A device can't fill the table. */
const MOST_BOOTS = 1_000;

/**
 * Locks the devices, in order against deadlocks, so that none is deleted meanwhile; stores the samples of those that exist, and what is newer
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
  SELECT id, COALESCE(extract(epoch FROM sampled_at), 0)::float8 AS newest FROM known`;

/**
 * Stores the reports of devices that exist.
 * @returns by device id, the time of the newest sample before these, in seconds since 1970; 0 for a device without samples
 */
export async function insertReports(sql: Sql, { reports, latest, boots, history }: Reports): Promise<NewestTimes> {
  const rows = await sql.query<{ id: string; newest: number }[]>(prepared(STORE), [
    reports.map(({ deviceId }) => deviceId),
    reports.map(({ data }) => data),
    JSON.stringify(latest),
    history,
    boots.map(({ deviceId }) => deviceId),
    boots.map(({ at }) => at),
  ]);
  return new Map(rows.map(({ id, newest }) => [id, newest]));
}

/** Reads when a device booted, oldest first. @param span in seconds since 1970, without its end */
export async function readBoots(sql: Sql, deviceId: string, [from, to]: readonly [number, number]): Promise<number[]> {
  const rows = await sql.query<{ time: number }[]>(
    `SELECT extract(epoch FROM at)::float8 AS time FROM boots
     WHERE device_id = $1 AND at >= to_timestamp($2) AND at < to_timestamp($3) ORDER BY at`,
    [deviceId, from, to],
  );
  return rows.map(({ time }) => time);
}
