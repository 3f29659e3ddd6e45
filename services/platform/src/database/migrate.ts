import { DataSource } from 'typeorm';
import { dataSourceOptions, type DatabaseOptions } from './database.options.ts';

/** One key for every service: two migrations at the same time wait for one another. */
const LOCK = 0x57415252;

/**
 * Brings a service's schema up to date. Safe to run twice and by several processes at once.
 * @returns the names of the migrations that ran
 */
export async function migrate(options: DatabaseOptions): Promise<string[]> {
  const source = await new DataSource(dataSourceOptions({ ...options, pool: 2 })).initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const ran = await source.runMigrations({ transaction: 'all' });
    return ran.map(({ name }) => name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    await lock.release();
    await source.destroy();
  }
}
