import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** Tests of channels of an account in an hour of the clock, whether the channels are deleted or not. */
const MOST_TESTS = 60;

/** Counts one use, or `$3`, in the present hour. */
const COUNT = `INSERT INTO notification_uses AS u (account_id, what, hour, count) VALUES ($1, $2, date_trunc('hour', now()), $3)
  ON CONFLICT (account_id, what) DO UPDATE SET hour = EXCLUDED.hour,
    count = CASE WHEN u.hour = EXCLUDED.hour THEN u.count ELSE 0 END + EXCLUDED.count`;

/** Counts a test. @returns false if the account made too many in this hour */
export async function countTest(sql: Sql, accountId: string): Promise<boolean> {
  const rows = await sql.query<unknown[]>(`${COUNT} WHERE u.hour <> EXCLUDED.hour OR u.count < $4 RETURNING 1`, [
    accountId,
    'test',
    1,
    MOST_TESTS,
  ]);
  return rows.length > 0;
}

/** Keeps count of the messages of a channel that is about to be deleted, so that the account can't begin its hour again. */
export async function keepCount(manager: EntityManager, accountId: string, channelId: string): Promise<void> {
  const [row] = await manager.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM notifications WHERE channel_id = $1 AND created_at > now() - interval '1 hour'`,
    [channelId],
  );
  if (row && row.n > 0) await manager.query(COUNT, [accountId, 'deleted', row.n]);
}

/** Forgets a deleted account. */
export async function deleteUsesOf(sql: Sql, accountId: string): Promise<void> {
  await sql.query('DELETE FROM notification_uses WHERE account_id = $1', [accountId]);
}
