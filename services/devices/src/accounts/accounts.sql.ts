import type { OwnQuotas } from '@warren/rules/quotas';
import type { EntityManager } from 'typeorm';

/** An account as an event has it. */
export interface ChangedAccount {
  accountId: string;
  name: string;
  active: boolean;
  operator: boolean;
  /** Time of the event. */
  asOf: Date;
  /** Undefined if the event has none; the copy keeps its quotas then. */
  quotas: OwnQuotas | undefined;
}

/** Writes the copy of an account, unless the copy is newer than the event or the account is deleted. */
export async function saveAccount(manager: EntityManager, account: ChangedAccount): Promise<void> {
  const { accountId, name, active, operator, asOf, quotas } = account;
  await manager.query(
    `INSERT INTO accounts (id, name, active, operator, as_of, quotas) VALUES ($1, $2, $3, $4, $5, COALESCE($6::jsonb, '{}'))
     ON CONFLICT (id) DO UPDATE
     SET name = $2, active = $3, operator = $4, as_of = $5, quotas = COALESCE($6::jsonb, accounts.quotas)
     WHERE accounts.as_of <= $5 AND NOT accounts.deleted`,
    [accountId, name, active, operator, asOf, quotas ? JSON.stringify(quotas) : null],
  );
}

/** Copies the name of an account to its devices. */
export async function copyAccountName(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(
    `UPDATE devices d SET account_name = a.name FROM accounts a
     WHERE a.id = $1 AND d.account_id = a.id AND d.account_name <> a.name`,
    [accountId],
  );
}

/** Marks an account as deleted, known before or not. */
export async function markDeleted(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(
    `INSERT INTO accounts (id, name, active, operator, deleted, as_of) VALUES ($1, '', false, false, true, now())
     ON CONFLICT (id) DO UPDATE SET active = false, deleted = true`,
    [accountId],
  );
}

/** Deletes what an account has besides devices and history: enrolment tokens, its update window, shared filters and bulk jobs. */
export async function deleteSettings(manager: EntityManager, accountId: string): Promise<void> {
  for (const table of ['enrolment_tokens', 'update_windows', 'saved_filters', 'bulk_jobs'])
    await manager.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
}

/** Deletes up to `limit` devices of an account. @returns their ids */
export async function deleteDevices(manager: EntityManager, accountId: string, limit: number): Promise<string[]> {
  const [rows] = await manager.query<[{ id: string }[], number]>(
    `DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE account_id = $1 LIMIT ${limit}) RETURNING id`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}

/** Deletes the history of an account's devices, and the samples of their counts. */
export async function deleteHistory(manager: EntityManager, accountId: string): Promise<void> {
  for (const table of ['device_history', 'device_counts'])
    await manager.query(`DELETE FROM ${table} WHERE account_id = $1`, [accountId]);
}
