import type { EntityManager } from 'typeorm';

/** What runs SQL: a data source, or the manager of a transaction. Only files named `*.sql.ts` use it. */
export type Sql = Pick<EntityManager, 'query'>;

/** Waits for an advisory lock, and holds it until the transaction ends. @param key an arbitrary number, the same in every process */
export async function lockByKey(manager: EntityManager, key: number): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock($1)', [key]);
}
