import { setTimeout as wait } from 'node:timers/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration of tables that are in use and large: it runs outside of a transaction, so each of its steps must be safe to run again
 * after a crash. `createIndex` and `inBatches` are.
 */
export abstract class OnlineMigration implements MigrationInterface {
  /** Read by TypeORM. */
  readonly transaction = false;

  abstract up(runner: QueryRunner): Promise<void>;
  abstract down(runner: QueryRunner): Promise<void>;
}

/**
 * Builds an index while its table is read and written. An index that a crash left unfinished is rebuilt.
 * @param name of the index, without its schema
 * @param definition what comes after its name: `ON devices (account_id, name)`
 * @param unique whether it refuses duplicates, those that are there already included
 */
export async function createIndex(
  runner: QueryRunner,
  name: string,
  definition: string,
  { unique = false } = {},
): Promise<void> {
  // It waits for all earlier transactions, and nothing queues behind it.
  await runner.query('SET lock_timeout = 0');
  try {
    if (await isValid(runner, name)) return;
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await runner.query(`CREATE ${unique ? 'UNIQUE ' : ''}INDEX CONCURRENTLY ${name} ${definition}`);
  } finally {
    await runner.query('RESET lock_timeout');
  }
}

/** Rows of a table in the order of a column that has an index. */
export interface Batches {
  table: string;
  /** The column; `id` if not given. */
  by?: string;
  /** Rows of one batch; 5,000 if not given. */
  size?: number;
}

/**
 * Runs a statement over a whole table in batches, each a separate transaction, so that rows are locked briefly. Rests after each for
 * as long as it took: the services use the same disks and processors.
 * @param statement `WHERE id BETWEEN $1 AND $2`, which leaves alone what it has changed before
 * @returns rows that an UPDATE or DELETE has changed
 */
export async function inBatches(
  runner: QueryRunner,
  { table, by = 'id', size = 5_000 }: Batches,
  statement: string,
): Promise<number> {
  let total = 0;
  for (let last: string | undefined; ;) {
    const after = last === undefined ? '' : `WHERE ${by} > $1`;
    const next = `SELECT ${by}::text AS key FROM ${table} ${after} ORDER BY ${by} LIMIT ${size}`;
    const keys = (await runner.query(next, last === undefined ? [] : [last])) as { key: string }[];
    const [first] = keys;
    if (!first) return total;
    last = keys.at(-1)?.key ?? first.key;
    const begun = performance.now();
    const [, changed] = (await runner.query(statement, [first.key, last])) as [unknown, number?];
    total += changed ?? 0;
    await wait(performance.now() - begun);
  }
}

async function isValid(runner: QueryRunner, name: string): Promise<boolean> {
  const rows = (await runner.query('SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)', [
    name,
  ])) as { valid: boolean }[];
  return rows[0]?.valid === true;
}
