import { DataSource } from 'typeorm';
import { dataSourceOptions, type DatabaseOptions } from '../database/database.options.ts';

/** Rows of the data set that go into one table. */
export interface Fill {
  table: string;
  rows: number;
  /** The columns, in order. */
  columns: string;
  /** SQL of the values for the row `n`, which counts from 1. */
  values: string;
}

const BATCH = 10_000;

/**
 * Fills tables with the data set, in order; rows that are there stay as they are.
 * @param say is told of each table that is full
 */
export async function fill(
  options: DatabaseOptions,
  fills: readonly Fill[],
  say: (line: string) => void,
): Promise<void> {
  const source = await new DataSource(dataSourceOptions({ ...options, pool: 1 })).initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    for (const { table, rows, columns, values } of fills) {
      for (let from = 1; from <= rows; from += BATCH)
        await runner.query(
          `INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series($1::int, $2::int) n ON CONFLICT DO NOTHING`,
          [from, Math.min(from + BATCH - 1, rows)],
        );
      // As autovacuum would, but now: statistics, visibility, and no rows that wait to be indexed.
      await runner.query(`VACUUM ANALYZE ${table}`);
      say(`${table}: ${rows}`);
    }
  } finally {
    await runner.release();
    await source.destroy();
  }
}
