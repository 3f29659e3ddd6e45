import type { Sql } from '@warren/platform/database/sql';
import { addUsage } from './usage.sql.ts';

/** A recording that is deleted, as its event has it. */
export interface Deleted {
  id: string;
  accountId: string;
  deviceId: string;
  deviceName: string;
  userEmail: string;
  started: Date;
  stored: number;
}

const COLUMNS = `r.id, r.account_id AS "accountId", r.device_id AS "deviceId", r.device_name AS "deviceName", r.user_email AS "userEmail",
  r.started, r.stored::float8 AS stored`;
/** What nothing deletes: live sessions, and what is held. Decided on the locked row. */
const DELETABLE = 'r.ended IS NOT NULL AND r.held_since IS NULL';

/** Locks recordings, and returns those of them that may be deleted, oldest first. Leaves out rows that are locked elsewhere. */
export function lockOldest(sql: Sql, accountId: string, limit: number): Promise<Deleted[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM recordings r WHERE r.account_id = $1 AND ${DELETABLE}
     ORDER BY r.ended LIMIT $2 FOR UPDATE SKIP LOCKED`,
    [accountId, limit],
  );
}

/** As {@link lockOldest}, of those that ended more than so many days ago. */
export function lockExpired(sql: Sql, accountId: string, days: number, limit: number): Promise<Deleted[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM recordings r WHERE r.account_id = $1 AND ${DELETABLE} AND r.ended < now() - make_interval(days => $2)
     ORDER BY r.ended LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [accountId, days, limit],
  );
}

/** A recording with what may keep it. A session without a writer for a day counts as over. */
type Kept = Deleted & { isLive: boolean; heldSince: Date | null };

/** Locks one recording, with what may keep it. */
export async function lockOne(
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
): Promise<Kept | undefined> {
  const [row] = await sql.query<Kept[]>(
    `SELECT ${COLUMNS}, r.ended IS NULL AND r.last_at > now() - interval '1 day' AS "isLive", r.held_since AS "heldSince" FROM recordings r WHERE r.id = $1 AND r.account_id = $2 FOR UPDATE`,
    [id, accountId],
  );
  return row;
}

/** Locks the recordings of an account that was deleted, live ones too: all but those that are held. */
export function lockAll(sql: Sql, accountId: string, limit: number): Promise<Deleted[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM recordings r WHERE r.account_id = $1 AND r.held_since IS NULL ORDER BY r.id LIMIT $2 FOR UPDATE`,
    [accountId, limit],
  );
}

/** Deletes recordings that are locked. Their objects are removed later. @returns the bytes that the account takes then */
export async function deleteLocked(sql: Sql, accountId: string, deleted: readonly Deleted[]): Promise<number> {
  const ids = deleted.map(({ id }) => id);
  await sql.query(
    `INSERT INTO recording_garbage (recording_id, account_id) SELECT id, $1 FROM unnest($2::uuid[]) AS id ON CONFLICT DO NOTHING`,
    [accountId, ids],
  );
  await sql.query('DELETE FROM recordings WHERE account_id = $1 AND id = ANY($2::uuid[])', [accountId, ids]);
  const bytes = deleted.reduce((sum, { stored }) => sum + stored, 0);
  return addUsage(sql, accountId, -bytes, -ids.length);
}

/** Accounts that have recordings or settings, page by page. */
export async function accountsAfter(sql: Sql, after: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    'SELECT account_id AS id FROM recording_usage u WHERE account_id > $1 ORDER BY u.account_id LIMIT $2',
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/** Forgets the settings of accounts that were deleted. */
export async function forgetSettings(sql: Sql, accounts: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM recording_settings WHERE account_id = ANY($1::uuid[])', [accounts]);
  await sql.query('DELETE FROM recording_usage WHERE account_id = ANY($1::uuid[]) AND recordings = 0', [accounts]);
}
