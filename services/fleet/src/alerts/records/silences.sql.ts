import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { ChangedAlert } from './alerts.rows.ts';

/** A row of `alert_silences`. */
export interface SilenceRow {
  id: string;
  account_id: string;
  filter: string;
  until: Date;
  reason: string;
  created_by: string;
  created_at: Date;
}

/** A silence with the name of its account. */
export interface ListedSilence extends SilenceRow {
  account_name: string;
}

const COLUMNS = 's.id, s.account_id, s.filter, s.until, s.reason, s.created_by, s.created_at';

/** Lists silences that have not ended, of an account or (without one) of all; those that end first come first. */
export function listSilences(
  sql: Sql,
  { accountId, limit }: { accountId: string | undefined; limit: number },
): Promise<ListedSilence[]> {
  return sql.query<ListedSilence[]>(
    `SELECT ${COLUMNS}, COALESCE(a.name, '') AS account_name
     FROM alert_silences s LEFT JOIN alert_accounts a ON a.id = s.account_id
     WHERE ($1::uuid IS NULL OR s.account_id = $1) AND s.until > now() ORDER BY s.until, s.id LIMIT ${limit}`,
    [accountId ?? null],
  );
}

/** Locks the silences of an account against additions, and counts those that have not ended. */
export async function countSilences(manager: EntityManager, accountId: string): Promise<number> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('alert_silences'), hashtext($1))`, [accountId]);
  const [row] = await manager.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM alert_silences WHERE account_id = $1 AND until > now()',
    [accountId],
  );
  return row?.n ?? 0;
}

export async function insertSilence(manager: EntityManager, silence: Omit<SilenceRow, 'created_at'>): Promise<Date> {
  const { id, account_id: accountId, filter, until, reason, created_by: by } = silence;
  const [row] = await manager.query<{ created_at: Date }[]>(
    `INSERT INTO alert_silences (id, account_id, filter, until, reason, created_by) VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING created_at`,
    [id, accountId, filter, until, reason, by],
  );
  return row?.created_at ?? new Date();
}

/** Locks a silence of an account, or (without one) of any. */
export async function lockSilence(
  manager: EntityManager,
  id: string,
  accountId: string | undefined,
): Promise<SilenceRow | undefined> {
  const [row] = await manager.query<SilenceRow[]>(
    `SELECT ${COLUMNS} FROM alert_silences s WHERE s.id = $1 AND ($2::uuid IS NULL OR s.account_id = $2) FOR UPDATE`,
    [id, accountId ?? null],
  );
  return row;
}

export async function deleteSilence(
  manager: EntityManager,
  { id, account_id: accountId }: Pick<SilenceRow, 'id' | 'account_id'>,
): Promise<void> {
  await manager.query('DELETE FROM alert_silences WHERE id = $1 AND account_id = $2', [id, accountId]);
}

/** Reads the silences of all accounts that have not ended. */
export function readActive(sql: Sql, now: Date): Promise<SilenceRow[]> {
  return sql.query<SilenceRow[]>(`SELECT ${COLUMNS} FROM alert_silences s WHERE s.until > $1`, [now]);
}

/** Accounts with open alerts that are silenced. */
export async function readSilencedAccounts(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ account_id: string }[]>(
    `SELECT DISTINCT account_id FROM alerts WHERE state = 'open' AND silenced`,
  );
  return rows.map(({ account_id: id }) => id);
}

/** Devices of an account with open alerts. */
export async function readAlerted(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql.query<{ device_id: string }[]>(
    `SELECT DISTINCT device_id FROM alerts WHERE account_id = $1 AND state = 'open'`,
    [accountId],
  );
  return rows.map(({ device_id: id }) => id);
}

/** Silences the open alerts of these devices, and no others. @returns the alerts that are, or are no longer, silenced */
export async function writeSilenced(
  manager: EntityManager,
  accountId: string,
  deviceIds: readonly string[],
): Promise<ChangedAlert[]> {
  const [rows] = await manager.query<[ChangedAlert[], number]>(
    `UPDATE alerts SET silenced = NOT silenced
     WHERE account_id = $1 AND state = 'open' AND silenced <> (device_id = ANY($2::uuid[]))
     RETURNING id, account_id, rule_id, rule_name, severity, device_id, device_name, detail, silenced`,
    [accountId, deviceIds],
  );
  return rows;
}
