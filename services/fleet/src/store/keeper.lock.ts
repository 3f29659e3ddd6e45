import { lockByKey } from '@warren/platform/database/sql';
import type { DataSource, EntityManager } from 'typeorm';
import { tryLock } from './keeper.sql.ts';

/** Any number, the same in all replicas; advisory locks are of one database. */
const KEEPER = 5_703_201;

/**
 * Runs work of the keeper in a transaction, unless another replica is at it: the lock ends with the transaction, so a replica that dies
 * leaves none behind, with a pooler in between as well.
 * @returns undefined if another replica is at it
 */
export function asKeeper<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T | undefined> {
  return source.transaction(async (manager) => {
    return (await tryLock(manager, KEEPER)) ? work(manager) : undefined;
  });
}

/** Like {@link asKeeper}, but waits until the other replica is done. */
export function afterKeeper<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return source.transaction(async (manager) => {
    await lockByKey(manager, KEEPER);
    return work(manager);
  });
}
