import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { SavedFilterEntity } from './saved.filter.entity.ts';

/** A filter that others may name. */
export type KeyedRow = Pick<SavedFilterEntity, 'accountId' | 'filter'> & { key: string };

/** Reads filters by their keys, of some accounts or (without these) of all. */
export function readKeyed(
  sql: Sql,
  keys: readonly string[],
  accountIds: readonly string[] | undefined,
): Promise<KeyedRow[]> {
  return sql.query(
    `SELECT account_id AS "accountId", key, filter FROM saved_filters
     WHERE key = ANY($1::text[]) AND user_id IS NULL AND ($2::uuid[] IS NULL OR account_id = ANY($2))`,
    [keys, accountIds ?? null],
  );
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
