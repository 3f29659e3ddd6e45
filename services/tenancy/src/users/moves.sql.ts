import type { Sql } from '@warren/platform/database/sql';

/** Locks users of an account until the transaction ends, in an order that prevents deadlocks. */
export async function lockUsers(sql: Sql, accountId: string, ids: readonly string[]): Promise<void> {
  await sql.query('SELECT FROM users WHERE account_id = $1 AND id = ANY($2::uuid[]) ORDER BY id FOR UPDATE', [
    accountId,
    ids,
  ]);
}

/** A user on the way to another group. */
export interface MovingRow {
  id: string;
  email: string;
  name: string;
  status: 'Active' | 'Inactive';
  group_id: string;
  group_name: string;
  role: string;
}

export function movingUsers(sql: Sql, accountId: string, ids: readonly string[]): Promise<MovingRow[]> {
  return sql.query(
    `SELECT u.id, u.email, u.name, u.status, u.group_id, g.name AS group_name, g.role
     FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
     WHERE u.account_id = $1 AND u.id = ANY($2::uuid[])`,
    [accountId, ids],
  );
}

export async function moveUsers(sql: Sql, accountId: string, ids: readonly string[], groupId: string): Promise<void> {
  await sql.query('UPDATE users SET group_id = $3 WHERE account_id = $1 AND id = ANY($2::uuid[])', [
    accountId,
    ids,
    groupId,
  ]);
}
