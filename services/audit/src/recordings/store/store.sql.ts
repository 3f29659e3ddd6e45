import type { Sql } from '@warren/platform/database/sql';

/** The id of the store that the rows belong to. */
export async function storeId(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.query<{ id: string }[]>('SELECT id FROM recording_store');
  return row?.id;
}

/** Names the store of the rows, unless there is one. @returns the one that is there then */
export async function claimStore(sql: Sql, id: string): Promise<string | undefined> {
  await sql.query('INSERT INTO recording_store (single, id) VALUES (true, $1) ON CONFLICT DO NOTHING', [id]);
  return storeId(sql);
}

/** Claims the sweep of this interval for one process. @returns false if another one has it */
export async function takeSweep(sql: Sql, everyMs: number): Promise<boolean> {
  const [rows] = await sql.query<[unknown[], number]>(
    `UPDATE recording_store SET swept = now() WHERE swept IS NULL OR swept < now() - $1 * interval '1 ms' RETURNING true`,
    [everyMs],
  );
  return rows.length > 0;
}
