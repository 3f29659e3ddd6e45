import type { DataSource, EntityManager } from 'typeorm';

/** Any number, the same in all replicas; advisory locks are of one database. */
const KEEPER = 5_703_201;

/**
 * Runs work of the keeper in a transaction, unless another replica is at it: the lock ends with the transaction, so a replica that dies
 * leaves none behind, with a pooler in between as well.
 * @returns undefined if another replica is at it
 */
export function asKeeper<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T | undefined> {
  return source.transaction(async (manager) => {
    const [row] = await manager.query<{ locked: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      KEEPER,
    ]);
    return row?.locked ? work(manager) : undefined;
  });
}

/** Like {@link asKeeper}, but waits until the other replica is done. */
export function afterKeeper<T>(source: DataSource, work: (manager: EntityManager) => Promise<T>): Promise<T> {
  return source.transaction(async (manager) => {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [KEEPER]);
    return work(manager);
  });
}
