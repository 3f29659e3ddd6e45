import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { AlertAccountEntity } from './account.entity.ts';

/** Adds accounts, and renames those that have another name now. */
export async function writeAccounts(sql: Sql, accounts: readonly { id: string; name: string }[]): Promise<void> {
  await sql.query(
    `INSERT INTO alert_accounts AS a (id, name) SELECT * FROM unnest($1::uuid[], $2::text[])
     ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE a.name <> excluded.name`,
    [accounts.map(({ id }) => id), accounts.map(({ name }) => name)],
  );
}

/** Accounts that are known here, but are none of these. */
export async function readOthers(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>('SELECT id FROM alert_accounts WHERE id <> ALL($1::uuid[])', [ids]);
  return rows.map(({ id }) => id);
}

const OF_ACCOUNT = ['alert_rules', 'alerts', 'alert_silences', 'alert_changes'] as const;

/** Forgets an account with all that is its. May run again. */
export async function deleteAccount(manager: EntityManager, id: string): Promise<void> {
  for (const table of OF_ACCOUNT) await manager.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
  await manager.delete(AlertAccountEntity, { id });
}
