import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { Checkpoint } from '../chain/chain.ts';

/** Tries to get an advisory lock that ends with the transaction. */
export async function tryLock(manager: EntityManager, key: number): Promise<boolean> {
  const [row] = await manager.query<{ locked: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS locked', [key]);
  return row?.locked === true;
}

/** Accounts with their retention, page by page. @param after the last account of the page before; undefined for the first page */
export function accountsAfter(
  sql: Sql,
  after: string | undefined,
  limit: number,
): Promise<{ accountId: string; months: number | null; removed: string }[]> {
  return sql.query(
    `SELECT c.account_id AS "accountId", r.months, c.removed::text AS removed FROM chains c LEFT JOIN retention r USING (account_id)
     WHERE $1::uuid IS NULL OR c.account_id > $1 ORDER BY c.account_id LIMIT $2`,
    [after ?? null, limit],
  );
}

/** Locks the chain of an account. */
export async function lockChain(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query('SELECT FROM chains WHERE account_id = $1 FOR UPDATE', [accountId]);
}

/**
 * The last event of the part of a chain that is older than an id throughout: an older event that came late stays until those before
 * it in the chain are old as well.
 */
export async function lastOlder(
  manager: EntityManager,
  accountId: string,
  before: string,
): Promise<{ sequence: string; hash: Buffer } | undefined> {
  const [row] = await manager.query<{ sequence: string; hash: Buffer }[]>(
    `WITH kept AS (SELECT min(sequence) AS first FROM events WHERE account_id = $1 AND id >= $2::uuid)
     SELECT e.sequence::text AS sequence, e.hash FROM events e, kept
     WHERE e.account_id = $1 AND e.id < $2::uuid AND (kept.first IS NULL OR e.sequence < kept.first) ORDER BY e.sequence DESC LIMIT 1`,
    [accountId, before],
  );
  return row;
}

export async function insertCheckpoint(sql: Sql, checkpoint: Checkpoint): Promise<void> {
  const { accountId, kind, sequence, hash, time, keyId, signature } = checkpoint;
  await sql.query(
    `INSERT INTO checkpoints (account_id, kind, sequence, hash, time, key_id, signature) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT DO NOTHING`,
    [accountId, kind, String(sequence), hash, time, keyId, signature],
  );
}

export async function setRemoved(sql: Sql, accountId: string, sequence: bigint): Promise<void> {
  await sql.query('UPDATE chains SET removed = $2 WHERE account_id = $1', [accountId, String(sequence)]);
}

/** Keeps the heads of chains that have moved since their last checkpoint. @returns the new checkpoints */
export async function keepHeads(sql: Sql): Promise<Checkpoint[]> {
  const rows = await sql.query<(Omit<Checkpoint, 'sequence'> & { sequence: string })[]>(
    `INSERT INTO checkpoints (account_id, kind, sequence, hash, time, key_id, signature)
     SELECT account_id, 'head', sequence, hash, time, key_id, signature FROM chains WHERE sequence > 0
     ON CONFLICT DO NOTHING
     RETURNING account_id AS "accountId", kind, sequence::text AS sequence, hash, time, key_id AS "keyId", signature`,
  );
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }));
}

/** Removes events up to a checkpoint. @returns how many, at most `most` */
export async function removeEvents(sql: Sql, accountId: string, through: bigint, most: number): Promise<number> {
  const [row] = await sql.query<{ n: number }[]>('SELECT remove_events($1, $2, $3) AS n', [
    accountId,
    String(through),
    most,
  ]);
  return row?.n ?? 0;
}

/** The months that have a partition, oldest first: `2026-12-01`. */
export async function partitionMonths(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = to_regclass('events') ORDER BY c.relname`,
  );
  return rows.map(({ name }) => `${name.slice(-6, -2)}-${name.slice(-2)}-01`);
}

/** Drops a partition without events that are kept. @returns false if it has some */
export async function dropPartition(manager: EntityManager, month: string): Promise<boolean> {
  await manager.query(`SET LOCAL lock_timeout = '200ms'`);
  const [row] = await manager.query<{ dropped: boolean }[]>('SELECT drop_events_partition($1::date) AS dropped', [
    month,
  ]);
  return row?.dropped === true;
}
