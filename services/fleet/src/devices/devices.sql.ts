import type { Sql } from '@warren/platform/database/sql';

/** The tables of what devices reported, with a column `device_id`. */
const HISTORY = ['boots', 'incoming', 'samples', 'five_minutes', 'hours'] as const;

/** Inserts the devices that are unknown. @param accounts the account of each device, sorted by device id to avoid deadlocks */
export async function insertUnknown(
  sql: Sql,
  accounts: readonly (readonly [id: string, accountId: string])[],
): Promise<void> {
  await sql.query(
    `INSERT INTO devices (id, account_id) SELECT * FROM unnest($1::uuid[], $2::uuid[]) ON CONFLICT (id) DO NOTHING`,
    [accounts.map(([id]) => id), accounts.map(([, accountId]) => accountId)],
  );
}

/** Writes the account of devices where another one is stored. */
export async function updateAccounts(sql: Sql, accounts: ReadonlyMap<string, string>): Promise<void> {
  await sql.query(
    `UPDATE devices d SET account_id = a.account_id FROM unnest($1::uuid[], $2::uuid[]) AS a (id, account_id)
     WHERE d.id = a.id AND d.account_id <> a.account_id`,
    [[...accounts.keys()], [...accounts.values()]],
  );
}

/** Reads the ids of devices, sorted, from the one after `after` on. */
export async function idsAfter(sql: Sql, after: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(`SELECT id FROM devices WHERE id > $1 ORDER BY id LIMIT ${limit}`, [
    after,
  ]);
  return rows.map(({ id }) => id);
}

/** Deletes devices. */
export async function deleteDevices(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM devices WHERE id = ANY($1::uuid[])', [ids]);
}

/** Deletes what devices reported, each table in a statement. */
export async function deleteReported(sql: Sql, ids: readonly string[]): Promise<void> {
  for (const table of HISTORY) await sql.query(`DELETE FROM ${table} WHERE device_id = ANY($1::uuid[])`, [ids]);
}
