import type { Sql } from '@warren/platform/database/sql';
import { ActivityKind, ActivityTopic } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import type { Turn } from './presence-spans.ts';

/** The id of all accounts together in `device_counts`. */
const EVERY_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** A new row of `device_history`. */
export interface HistoryRow {
  kind: ActivityKind;
  device_id: string;
  account_id: string;
  device_name: string;
  detail: string;
  actor: string;
  /** ISO 8601; null for now. */
  at: string | null;
}

/** A row of `device_history` with the present name of its account. */
export interface ActivityRow {
  id: string;
  at: Date;
  kind: ActivityKind;
  device_id: string;
  device_name: string;
  account_id: string;
  account_name: string | null;
  detail: string;
  actor: string;
}

/** The present state of a device, by the clock of the database. */
export interface DeviceNow {
  connected: boolean;
  account_id: string;
  created: Date;
  now: Date;
}

/** How many devices there were, and how many of them were connected. */
export interface CountRow {
  at: Date;
  total: number;
  connected: number;
}

const SELECT_ACTIVITY = `
  SELECT h.id, h.at, h.kind, h.device_id, h.device_name, h.account_id, a.name AS account_name, h.detail, h.actor
  FROM device_history h LEFT JOIN accounts a ON a.id = h.account_id`;

/** Inserts events; a time in the future becomes now. */
export async function insertHistory(manager: EntityManager, rows: readonly HistoryRow[]): Promise<void> {
  await manager.query(
    `INSERT INTO device_history (at, account_id, device_id, kind, device_name, detail, actor)
     SELECT LEAST(r.at, now()), r.account_id, r.device_id, r.kind, r.device_name, r.detail, r.actor
     FROM jsonb_to_recordset($1) AS r (
       at timestamptz, account_id uuid, device_id uuid, kind smallint, device_name text, detail text, actor text
     )`,
    [JSON.stringify(rows)],
  );
}

/** The events of each topic; of the changes there are indexes with the same condition. */
const TOPICS: Readonly<Record<ActivityTopic, string>> = {
  [ActivityTopic.UNSPECIFIED]: 'true',
  [ActivityTopic.LINKS]: 'h.kind IN (2, 3)',
  [ActivityTopic.CHANGES]: 'h.kind NOT IN (2, 3)',
};

/** Some devices, as FROM and WHERE over `devices d`. */
interface Seen {
  from: string;
  values: readonly unknown[];
}

/** What to read of the history. */
interface ActivityFilter {
  accountId: string | undefined;
  topic: ActivityTopic;
  /** If set, only of these devices of the account. */
  seen?: Seen | undefined;
  limit: number;
}

/** Reads events, newest first, of an account or (without one) of all. */
export function readActivity(sql: Sql, { accountId, topic, seen, limit }: ActivityFilter): Promise<ActivityRow[]> {
  const values: unknown[] = [...(seen?.values ?? [])];
  const devices = seen ? `h.device_id IN (SELECT d.id ${seen.from})` : 'true';
  const scope = accountId === undefined ? 'true' : `h.account_id = $${values.push(accountId)}`;
  return sql.query(
    `${SELECT_ACTIVITY} WHERE ${scope} AND ${TOPICS[topic]} AND ${devices} ORDER BY h.at DESC, h.id DESC LIMIT $${values.push(limit)}`,
    values,
  );
}

/** Reads events of a device in an account, newest first. @param span in seconds since 1970, without its end */
export function readDeviceActivity(
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
  [from, to]: readonly [number, number],
  limit: number,
): Promise<ActivityRow[]> {
  return sql.query(
    `${SELECT_ACTIVITY} WHERE h.device_id = $1 AND h.account_id = $2 AND h.at >= to_timestamp($3) AND h.at < to_timestamp($4)
     ORDER BY h.at DESC, h.id DESC LIMIT ${limit}`,
    [id, accountId, from, to],
  );
}

/** Reads the present state of a device, in an account or (without one) in any. */
export async function readNow(sql: Sql, id: string, accountId: string | undefined): Promise<DeviceNow | undefined> {
  const [row] = await sql.query<DeviceNow[]>(
    `SELECT connected, account_id, created, now() FROM devices
     WHERE id = $1 ${accountId === undefined ? '' : 'AND account_id = $2'}`,
    accountId === undefined ? [id] : [id, accountId],
  );
  return row;
}

/** Reads the latest events of these kinds, of a device in an account, newest first. */
export function readTurns(
  sql: Sql,
  { id, accountId, from }: { id: string; accountId: string; from: Date },
  kinds: readonly ActivityKind[],
  limit: number,
): Promise<Turn[]> {
  return sql.query(
    `SELECT at, kind FROM device_history
     WHERE device_id = $1 AND account_id = $2 AND at >= $3 AND kind = ANY ($4)
     ORDER BY at DESC, id DESC LIMIT ${limit}`,
    [id, accountId, from, kinds],
  );
}

const isOlder = (hours: number) => `at < now() - interval '${hours} hours'`;

/** Deletes a batch of events that are older than so many hours, leaving rows that another replica deletes. @returns the number deleted */
export async function deleteHistoryBatch(sql: Sql, hours: number, limit: number): Promise<number> {
  const [, count] = await sql.query<[unknown[], number]>(
    `DELETE FROM device_history WHERE id IN (
       SELECT id FROM device_history WHERE ${isOlder(hours)} ORDER BY at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`,
  );
  return count;
}

/** Deletes counts that are older than so many hours. */
export async function deleteCounts(sql: Sql, hours: number): Promise<void> {
  await sql.query(`DELETE FROM device_counts WHERE ${isOlder(hours)}`);
}

/** Reads the counts of the last hours and the present one, oldest first, of an account or (without one) of all. */
export function readCounts(sql: Sql, accountId: string | undefined, hours: number): Promise<CountRow[]> {
  return sql.query(
    `SELECT at, total, connected FROM device_counts
       WHERE account_id = $1 AND at >= now() - $2 * interval '1 hour' AND at < now()
     UNION ALL
     SELECT now(), count(*)::int, (count(*) FILTER (WHERE connected))::int FROM devices
       ${accountId === undefined ? '' : 'WHERE account_id = $1'}
     ORDER BY at`,
    [accountId ?? EVERY_ACCOUNT, hours],
  );
}

/**
 * Computes the counts of some devices over the last hours from their history, oldest first, one in so many minutes: backwards from the present
 * number of connected ones.
 */
export function readCountsOf(
  sql: Sql,
  { from, values }: Seen,
  { hours, minutes }: { hours: number; minutes: number },
): Promise<CountRow[]> {
  const span = `$${values.length + 1} * interval '1 hour'`;
  const bin = (at: string) => `date_bin('${minutes} minutes', ${at}, '2000-01-01')`;
  return sql.query(
    `WITH seen AS MATERIALIZED (SELECT d.id, d.connected, d.created ${from}),
     turns AS (
       SELECT ${bin('h.at')} AS at, sum(CASE h.kind WHEN ${ActivityKind.CONNECTED} THEN 1 ELSE -1 END)::int AS change
       FROM device_history h JOIN seen ON seen.id = h.device_id
       WHERE h.kind IN (${ActivityKind.CONNECTED}, ${ActivityKind.DISCONNECTED}) AND h.at >= now() - ${span} GROUP BY 1
     ), births AS (SELECT ${bin('created')} AS at, count(*)::int AS n FROM seen GROUP BY 1),
     points AS (
       SELECT at FROM generate_series(${bin(`now() - ${span}`)}, now(), interval '${minutes} minutes') AS at UNION SELECT now()
     )
     SELECT p.at,
       (SELECT COALESCE(sum(n), 0) FROM births WHERE births.at < p.at)::int AS total,
       GREATEST(0, (SELECT count(*) FILTER (WHERE connected) FROM seen)
         - (SELECT COALESCE(sum(change), 0) FROM turns WHERE turns.at >= p.at))::int AS connected
     FROM points p ORDER BY p.at`,
    [...values, hours],
  );
}

/** Counts the devices of each account and of all, once in so many minutes, whichever replica comes first. */
export async function sampleCounts(sql: Sql, minutes: number): Promise<void> {
  const bucket = `date_bin('${minutes} minutes', now(), '2000-01-01')`;
  await sql.query(
    `INSERT INTO device_counts (account_id, at, total, connected)
     SELECT COALESCE(account_id, $1), ${bucket}, count(*), count(*) FILTER (WHERE connected)
     FROM devices
     WHERE NOT EXISTS (SELECT 1 FROM device_counts WHERE account_id = $1 AND at = ${bucket})
     GROUP BY GROUPING SETS ((account_id), ())
     HAVING count(*) > 0
     ON CONFLICT DO NOTHING`,
    [EVERY_ACCOUNT],
  );
}
