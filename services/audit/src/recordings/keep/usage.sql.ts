import type { Sql } from '@warren/platform/database/sql';
import { prepared } from '@warren/platform/database/prepared';

const ADD = prepared(`
  INSERT INTO recording_usage AS u (account_id, bytes, recordings) VALUES ($1, greatest($2::bigint, 0), greatest($3::integer, 0))
  ON CONFLICT (account_id) DO UPDATE SET bytes = greatest(u.bytes + $2::bigint, 0), recordings = greatest(u.recordings + $3::integer, 0)
  RETURNING bytes::float8 AS bytes`);

/**
 * Adds to what the recordings of an account take, and locks that until the transaction ends: of chunks that are written at the same time
 * each sees those before it.
 * @returns the bytes then
 */
export async function addUsage(sql: Sql, accountId: string, bytes: number, recordings = 0): Promise<number> {
  const [row] = await sql.query<{ bytes: number }[]>(ADD, [accountId, bytes, recordings]);
  return row?.bytes ?? 0;
}

export async function usageOf(sql: Sql, accountId: string): Promise<{ bytes: number; recordings: number }> {
  const [row] = await sql.query<{ bytes: number; recordings: number }[]>(
    'SELECT bytes::float8 AS bytes, recordings FROM recording_usage WHERE account_id = $1',
    [accountId],
  );
  return row ?? { bytes: 0, recordings: 0 };
}

export interface Settings {
  version: number;
  policy: number;
  filter: string;
  days: number | null;
  quota: number | null;
  full: number;
  redactions: string[];
  search: boolean;
  desktops: boolean;
}

const SELECT_SETTINGS = prepared(`
  SELECT version, policy, filter, days, quota::float8 AS quota, full_policy AS full, redactions, search, desktops
  FROM recording_settings WHERE account_id = $1`);

/** The settings of an account; undefined where it never changed them. */
export async function settingsOf(sql: Sql, accountId: string): Promise<Settings | undefined> {
  const [row] = await sql.query<Settings[]>(SELECT_SETTINGS, [accountId]);
  return row;
}

/** Stores settings. @returns false if they were changed since `settings.version` */
export async function putSettings(sql: Sql, accountId: string, settings: Settings): Promise<boolean> {
  const { version, policy, filter, days, quota, full, redactions, search, desktops } = settings;
  const rows = await sql.query<unknown[]>(
    `INSERT INTO recording_settings AS s (account_id, version, policy, filter, days, quota, full_policy, redactions, search, desktops)
     SELECT $1, 1, $3, $4, $5, $6, $7, $8, $9, $10
     WHERE $2 = 0 OR EXISTS (SELECT FROM recording_settings WHERE account_id = $1)
     ON CONFLICT (account_id) DO UPDATE SET version = s.version + 1, policy = excluded.policy, filter = excluded.filter, days = excluded.days,
       quota = excluded.quota, full_policy = excluded.full_policy, redactions = excluded.redactions, search = excluded.search,
       desktops = excluded.desktops
     WHERE s.version = $2
     RETURNING true`,
    [accountId, version, policy, filter, days, quota, full, redactions, search, desktops],
  );
  return rows.length > 0;
}
