import type { Sql } from '../database/sql.ts';

const COUNT = `SELECT count(*)::int AS n, min(id::text) AS oldest FROM (SELECT id FROM outbox ORDER BY id LIMIT 10000) AS waiting`;

/** How many events wait, up to 10,000, and the id of the oldest. */
export async function countWaiting(sql: Sql): Promise<{ n: number; oldest: string | null }> {
  const [row] = await sql.query<{ n: number; oldest: string | null }[]>(COUNT);
  return row ?? { n: 0, oldest: null };
}

/** SQL that every service with an outbox puts in its first migration. */
export const CREATE_OUTBOX = `
  CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    payload bytea NOT NULL
  )`;
