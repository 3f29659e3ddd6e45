import type { Sql } from '../database/sql.ts';

interface Counted {
  nearly: number;
  full: number;
}

/**
 * Counts the accounts near a quota and at it.
 * @param uses SQL: `account_id` and `n`, how much each account uses; without those that use nothing
 * @param most the quota of accounts that have none themselves; null for no limit
 */
export async function countNearQuota(
  sql: Sql,
  { quota, uses, most, share }: { quota: string; uses: string; most: number | null; share: number },
): Promise<Counted> {
  const [row] = await sql.query<Counted[]>(
    `SELECT count(*) FILTER (WHERE u.n >= $3::numeric * a.most)::int AS nearly, count(*) FILTER (WHERE u.n >= a.most)::int AS full
       FROM (
         SELECT id, CASE WHEN quotas ? $1 THEN (quotas ->> $1)::bigint ELSE $2::bigint END AS most
         FROM accounts WHERE NOT operator
       ) a JOIN (${uses}) u ON u.account_id = a.id
       WHERE a.most IS NOT NULL`,
    [quota, most, share],
  );
  return row ?? { nearly: 0, full: 0 };
}
