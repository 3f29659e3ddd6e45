import type { Sql } from '@warren/platform/database/sql';
import type { KindRow } from './usage.kinds.ts';

/** Columns of a {@link KindRow} for a query that groups by kind. */
const SUMS = `kind, sum(open_ms)::bigint AS open_ms, sum(opened)::bigint AS opened,
  sum(bytes_to_device)::bigint AS bytes_to_device, sum(bytes_from_device)::bigint AS bytes_from_device`;

/** Two years of bills, and the present month. */
const KEPT = '25 months';
/** Longer than the bus keeps an event, and delivers it again. */
const REPORTS_KEPT = '8 days';

const OLD_HOURS = (limit: number) => `DELETE FROM usage_hours WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM usage_hours
  WHERE hour < date_trunc('month', now(), 'UTC') - interval '${KEPT}' LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
const OLD_MONTHS = (limit: number) => `DELETE FROM usage_months WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM usage_months
  WHERE month < date_trunc('month', now() AT TIME ZONE 'UTC') - interval '${KEPT}' LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
const OLD_REPORTS = (limit: number) => `DELETE FROM usage_reports WHERE id IN (
  SELECT id FROM usage_reports WHERE received < now() - interval '${REPORTS_KEPT}' LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;

const OLD = [OLD_HOURS, OLD_MONTHS, OLD_REPORTS];

/** Adds a report unless it was added before: the event of a report may be published, and delivered, more than once. */
const ADD = `
  WITH report AS (INSERT INTO usage_reports (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id),
  used AS (
    SELECT account_id, kind, sum(open_ms) AS open_ms, sum(opened) AS opened,
      sum(bytes_to_device) AS bytes_to_device, sum(bytes_from_device) AS bytes_from_device
    FROM report, unnest($3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
      AS counted (account_id, kind, open_ms, opened, bytes_to_device, bytes_from_device)
    GROUP BY account_id, kind
  ),
  traffic AS (
    INSERT INTO usage_months AS known (account_id, month, bytes)
    SELECT account_id, date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date, sum(bytes_to_device + bytes_from_device)
    FROM used GROUP BY account_id HAVING sum(bytes_to_device + bytes_from_device) > 0 ORDER BY account_id
    ON CONFLICT (account_id, month) DO UPDATE SET bytes = known.bytes + excluded.bytes
  )
  INSERT INTO usage_hours AS known (account_id, hour, kind, open_ms, opened, bytes_to_device, bytes_from_device)
  SELECT account_id, $2, kind, open_ms, opened, bytes_to_device, bytes_from_device FROM used
  ORDER BY account_id, kind
  ON CONFLICT (account_id, hour, kind) DO UPDATE SET
    open_ms = known.open_ms + excluded.open_ms,
    opened = known.opened + excluded.opened,
    bytes_to_device = known.bytes_to_device + excluded.bytes_to_device,
    bytes_from_device = known.bytes_from_device + excluded.bytes_from_device`;

/** Hours from `from` on and before `to`. */
interface Range {
  from: Date;
  to: Date;
}

/** Usage of one account by spans of a unit of PostgreSQL. */
export function usageOf(
  sql: Sql,
  accountId: string,
  { from, to, unit }: Range & { unit: string },
): Promise<(KindRow & { start: Date })[]> {
  return sql.query(
    `SELECT date_trunc($4, hour, 'UTC') AS start, ${SUMS} FROM usage_hours
       WHERE account_id = $1 AND hour >= $2 AND hour < $3 GROUP BY start, kind ORDER BY start, kind`,
    [accountId, from, to, unit],
  );
}

/** Usage of each account, by id. @param range with the id of the account that came last; null for the first part */
export function usageOfAccounts(
  sql: Sql,
  { from, to, after, limit }: Range & { after: string | null; limit: number },
): Promise<{ account_id: string; name: string; kinds: KindRow[] }[]> {
  return sql.query(
    `WITH used AS (
         SELECT account_id, ${SUMS} FROM usage_hours
         WHERE hour >= $1 AND hour < $2 AND ($3::uuid IS NULL OR account_id > $3)
         GROUP BY account_id, kind)
       SELECT account_id, COALESCE(a.name, '') AS name, jsonb_agg(jsonb_build_object('kind', kind,
           'open_ms', open_ms::text, 'opened', opened::text,
           'bytes_to_device', bytes_to_device::text, 'bytes_from_device', bytes_from_device::text) ORDER BY kind) AS kinds
       FROM used LEFT JOIN accounts a ON a.id = account_id
       GROUP BY account_id, a.name ORDER BY account_id LIMIT $4`,
    [from, to, after, limit],
  );
}

/** Whether an account exists, or has left usage. */
export async function hasUsage(sql: Sql, accountId: string): Promise<boolean> {
  const [row] = await sql.query<{ known: boolean }[]>(
    `SELECT EXISTS (SELECT FROM accounts WHERE id = $1) OR EXISTS (SELECT FROM usage_hours WHERE account_id = $1) AS known`,
    [accountId],
  );
  return row?.known === true;
}

/** Usage of one account and kind in a report. */
export interface Counted {
  accountId: string;
  kind: string;
  openMs: bigint;
  opened: bigint;
  bytesToDevice: bigint;
  bytesFromDevice: bigint;
}

/** The same report twice is added once. */
export async function addReport(sql: Sql, id: string, hour: Date, usage: readonly Counted[]): Promise<void> {
  await sql.query(ADD, [
    id,
    hour,
    usage.map(({ accountId }) => accountId),
    usage.map(({ kind }) => kind),
    usage.map(({ openMs }) => String(openMs)),
    usage.map(({ opened }) => String(opened)),
    usage.map(({ bytesToDevice }) => String(bytesToDevice)),
    usage.map(({ bytesFromDevice }) => String(bytesFromDevice)),
  ]);
}

/** Each removes at most `limit` old rows of one table, and returns how many. */
export const OLD_ROWS = OLD.map((statement) => async (sql: Sql, limit: number): Promise<number> => {
  const [, count] = await sql.query<[unknown[], number]>(statement(limit));
  return count;
});
