import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** A row of `saved_filters`. */
export interface SavedRow {
  id: string;
  account_id: string;
  /** Null: shared by everybody who may see the account's devices. */
  user_id: string | null;
  name: string;
  filter: string;
  sort: string;
  descending: boolean;
  columns: string[];
  /** By which other filters of the account name it. Null for a person's, and for one that 0.1 has saved. */
  key: string | null;
}

const SELECT = 'SELECT id, account_id, user_id, name, filter, sort, descending, columns, key FROM saved_filters';

/** Reads the filters of a user, and those that an account shares, by name. */
export function readSaved(sql: Sql, { userId, accountId }: { userId: string; accountId: string }): Promise<SavedRow[]> {
  return sql.query(`${SELECT} WHERE user_id = $1 OR (user_id IS NULL AND account_id = $2) ORDER BY lower(name), id`, [
    userId,
    accountId,
  ]);
}

/** Reads a filter of a user, or one that is shared in the account (without one, in any). */
export async function readOne(
  manager: EntityManager,
  id: string,
  { userId, accountId }: { userId: string; accountId: string | undefined },
): Promise<SavedRow | undefined> {
  const [row] = await manager.query<SavedRow[]>(
    `${SELECT} WHERE id = $1 AND (user_id = $2 OR (user_id IS NULL AND ($3::uuid IS NULL OR account_id = $3)))`,
    [id, userId, accountId ?? null],
  );
  return row;
}

export async function insertSaved(manager: EntityManager, row: SavedRow): Promise<void> {
  await manager.query(
    `INSERT INTO saved_filters (id, account_id, user_id, name, filter, sort, descending, columns, key)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [row.id, row.account_id, row.user_id, row.name, row.filter, row.sort, row.descending, row.columns, row.key],
  );
}

/** Writes what a person may change of a filter, and its key if it had none. */
export async function updateSaved(manager: EntityManager, row: SavedRow): Promise<void> {
  await manager.query(
    `UPDATE saved_filters SET name = $2, filter = $3, sort = $4, descending = $5, columns = $6, key = COALESCE(key, $7)
     WHERE id = $1`,
    [row.id, row.name, row.filter, row.sort, row.descending, row.columns, row.key],
  );
}

export async function deleteSaved(manager: EntityManager, id: string): Promise<void> {
  await manager.query('DELETE FROM saved_filters WHERE id = $1', [id]);
}

/** Deletes the filters of a user. */
export async function deleteSavedOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('DELETE FROM saved_filters WHERE user_id = $1', [userId]);
}

/** A filter that others may name. */
export type KeyedRow = Pick<SavedRow, 'account_id' | 'filter'> & { key: string };

/** Reads filters by their keys, of some accounts or (without these) of all. */
export function readKeyed(
  sql: Sql,
  keys: readonly string[],
  accountIds: readonly string[] | undefined,
): Promise<KeyedRow[]> {
  return sql.query(
    `SELECT account_id, key, filter FROM saved_filters
     WHERE key = ANY($1::text[]) AND user_id IS NULL AND ($2::uuid[] IS NULL OR account_id = ANY($2))`,
    [keys, accountIds ?? null],
  );
}

/** Reads the filters that an account shares, by name. */
export function readShared(sql: Sql, accountId: string): Promise<SavedRow[]> {
  return sql.query(`${SELECT} WHERE user_id IS NULL AND account_id = $1 ORDER BY lower(name), id`, [accountId]);
}

const LOCK = `(hashtext('saved_filters'), hashtext($1))`;

/** Locks the filters of a person against other changes. */
export async function lockOwn(manager: EntityManager, userId: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock${LOCK}`, [userId]);
}

/** Locks the filters of an account against other changes, and against what begins to name them. @returns whether it did */
export async function tryLock(manager: EntityManager, accountId: string): Promise<boolean> {
  const [row] = await manager.query<{ locked: boolean }[]>(`SELECT pg_try_advisory_xact_lock${LOCK} AS locked`, [
    accountId,
  ]);
  return row?.locked ?? false;
}

/** Locks the filters of an account against changes, unless one is being made. @returns whether it did */
export async function tryKeep(manager: EntityManager, accountId: string): Promise<boolean> {
  const [row] = await manager.query<{ kept: boolean }[]>(`SELECT pg_try_advisory_xact_lock_shared${LOCK} AS kept`, [
    accountId,
  ]);
  return row?.kept ?? false;
}

/** Counts the filters of the same owner. */
export async function countSaved(manager: EntityManager, row: SavedRow): Promise<number> {
  const owner = row.user_id ?? row.account_id;
  const [{ count } = { count: 0 }] = await manager.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM saved_filters
     WHERE CASE WHEN $2 THEN user_id = $1::uuid ELSE account_id = $1::uuid AND user_id IS NULL END`,
    [owner, row.user_id !== null],
  );
  return count;
}
