import type { DataSource, EntityManager } from 'typeorm';

/** Runs reads that must agree with one another, such as a page and its total, on one state of the database. */
export function inSnapshot<T>(source: DataSource, read: (manager: EntityManager) => Promise<T>): Promise<T> {
  return source.transaction('REPEATABLE READ', read);
}
