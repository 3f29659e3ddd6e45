import type { Sql } from '@warren/platform/database/sql';

/** How often an account may test and make channels in an hour of the clock, whether it deletes them or not. */
const MOST = { test: 60, channel: 40 } as const;

/** Counts a use of an account. @returns false if there were too many in this hour */
export async function countUse(sql: Sql, accountId: string, what: keyof typeof MOST): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    `INSERT INTO notification_uses AS u (account_id, what, hour, count) VALUES ($1, $2, date_trunc('hour', now()), 1)
     ON CONFLICT (account_id, what) DO UPDATE SET hour = EXCLUDED.hour, count = CASE WHEN u.hour = EXCLUDED.hour THEN u.count + 1 ELSE 1 END
     WHERE u.hour <> EXCLUDED.hour OR u.count < $3 RETURNING 1`,
    [accountId, what, MOST[what]],
  );
  return rows.length > 0;
}

/** Forgets a deleted account. */
export async function deleteUsesOf(sql: Sql, accountId: string): Promise<void> {
  await sql.query('DELETE FROM notification_uses WHERE account_id = $1', [accountId]);
}
