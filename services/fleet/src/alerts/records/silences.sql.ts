import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { ChangedAlert } from './alerts.rows.ts';
import type { AlertSilenceEntity } from './silence.entity.ts';

/** A silence with the name of its account. */
export interface ListedSilence extends AlertSilenceEntity {
  accountName: string;
}

/** Lists silences that have not ended, of an account or (without one) of all; those that end first come first. */
export function listSilences(
  sql: Sql,
  { accountId, limit }: { accountId: string | undefined; limit: number },
): Promise<ListedSilence[]> {
  return sql.query<ListedSilence[]>(
    `SELECT s.id, s.account_id AS "accountId", s.filter, s.until, s.reason, s.created_by AS "createdBy", s.created_at AS "createdAt",
       COALESCE(a.name, '') AS "accountName"
     FROM alert_silences s LEFT JOIN alert_accounts a ON a.id = s.account_id
     WHERE ($1::uuid IS NULL OR s.account_id = $1) AND s.until > now() ORDER BY s.until, s.id LIMIT ${limit}`,
    [accountId ?? null],
  );
}

/** Locks the silences of an account against additions. */
export async function lockSilences(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('alert_silences'), hashtext($1))`, [accountId]);
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
