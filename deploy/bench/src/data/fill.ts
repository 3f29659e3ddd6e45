import pg from 'pg';

/** Rows of the data set for a table. */
export interface Fill {
  table: string;
  rows: number;
  /** The columns, in order. */
  columns: string;
  /** SQL of the values of row `n`, from 1. */
  values: string;
}

const BATCH = 10_000;

/** Fills tables with the data set, in order; keeps existing rows. @param url of a service's database and role */
export async function fillTables(url: string, fills: readonly Fill[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET statement_timeout = 0');
    for (const { table, rows, columns, values } of fills) {
      for (let from = 1; from <= rows; from += BATCH)
        await client.query(
          `INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series($1::bigint, $2::bigint) n ON CONFLICT DO NOTHING`,
          [from, Math.min(from + BATCH - 1, rows)],
        );
      // Does autovacuum's work now: statistics, visibility map, and pending index entries.
      await client.query(`VACUUM ANALYZE ${table}`);
    }
  } finally {
    await client.end();
  }
}
