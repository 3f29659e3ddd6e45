import type { Sql } from '@warren/platform/database/sql';
import { trafficOf } from './traffic.ts';

/** The users of an account, and its pending invitations. */
export interface People {
  users: number;
  invited: number;
}

export async function peopleOf(sql: Sql, accountId: string): Promise<People> {
  const [row] = await sql.query<People[]>(
    `SELECT (SELECT count(*)::int FROM users WHERE account_id = $1) AS users,
       (SELECT count(*)::int FROM invitations WHERE account_id = $1 AND expires > now()) AS invited`,
    [accountId],
  );
  return row ?? { users: 0, invited: 0 };
}

/** Bytes that an account has used in this month. */
export async function trafficThisMonth(sql: Sql, accountId: string): Promise<bigint> {
  const [row] = await sql.query<{ traffic: string | null }[]>(`SELECT ${trafficOf('$1')} AS traffic`, [accountId]);
  return BigInt(row?.traffic ?? 0);
}
