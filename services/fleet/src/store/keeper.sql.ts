import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** Has statements of a transaction wait 200 ms at most for a lock: readers and writers queue behind them. */
async function waitBriefly(manager: EntityManager): Promise<void> {
  await manager.query(`SET LOCAL lock_timeout = '200ms'`);
}

/** Tries to get an advisory lock that ends with the transaction. @param key any number, the same in all replicas */
export async function tryLock(manager: EntityManager, key: number): Promise<boolean> {
  const [row] = await manager.query<{ locked: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS locked', [key]);
  return row?.locked === true;
}

/** Reads the names of a table's partitions, sorted. */
export async function partitionNames(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass($1) ORDER BY c.relname`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** Creates partitions of a table by time. Waits briefly for locks, as a backup may hold them for hours. */
export async function createMissing(
  manager: EntityManager,
  table: string,
  partitions: readonly { name: string; from: Date; to: Date }[],
): Promise<void> {
  await waitBriefly(manager);
  for (const { name, from, to } of partitions)
    await manager.query(
      `CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
    );
}

/** Drops a partition, and how far its compaction got. */
export async function dropTable(manager: EntityManager, name: string): Promise<void> {
  await waitBriefly(manager);
  await manager.query(`DROP TABLE ${name}`);
  await manager.query('DELETE FROM progress WHERE partition = $1', [name]);
}

/** Deletes boots before a time. */
export async function deleteBoots(sql: Sql, before: Date): Promise<void> {
  await sql.query('DELETE FROM boots WHERE at < $1', [before]);
}
