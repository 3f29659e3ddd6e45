import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';
import type { UserRow } from './user.row.ts';

/** Of `users u` with {@link USER_JOINS}. */
export const USER_COLUMNS = `
  u.id, u.name, u.email, u.picture, u.status, u.account_id, a.name AS account_name, a.status AS account_status,
  a.operator, u.group_id, g.name AS group_name, g.role, u.provider, u.subject`;

export const USER_JOINS = `
  JOIN accounts a ON a.id = u.account_id
  JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id`;

const SELECT_USER = `SELECT ${USER_COLUMNS} FROM users u ${USER_JOINS}`;

const OF_ID = 'WHERE u.id = $1 AND ($2::uuid IS NULL OR u.account_id = $2)';

/** Filters by account, group and search; $1 to $3. */
const USERS_WHERE = `
  WHERE ($1::uuid IS NULL OR u.account_id = $1)
    AND ($2::uuid IS NULL OR u.group_id = $2)
    AND ($3::text IS NULL OR lower(u.name || ' ' || u.email) LIKE $3)`;

const USERS = {
  source: `FROM users u ${USERS_WHERE}`,
  keys: ['u.sort_key'],
  id: 'u.id',
  columns: USER_COLUMNS,
  joins: `JOIN users u ON u.id = page.id ${USER_JOINS}`,
};

const OTHERS = `
  SELECT u.id FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
  WHERE g.role = 'SuperAdmin' AND u.status = 'Active' AND u.id <> $1
  LIMIT 1`;

/** The accounts and groups to read; undefined for all. */
export interface UserFilter {
  accountId: string | undefined;
  groupId: string | undefined;
}

/** The sort keys of a user in an export. */
export type UserCursor = readonly [name: string, email: string, id: string];

/** @param accountId undefined for any account */
export async function userOf(sql: Sql, id: string, accountId: string | undefined): Promise<UserRow | undefined> {
  const [row] = await sql.query<UserRow[]>(`${SELECT_USER} ${OF_ID}`, [id, accountId]);
  return row;
}

/** One statement, so that rows and total agree. */
export async function usersPage(sql: Sql, { accountId, groupId }: UserFilter, page: Page) {
  return listed(await sql.query<Listed<UserRow>[]>(pageQuery(USERS, page), [accountId, groupId, page.pattern]));
}

/** Users by name, e-mail and id, found by the keys of the one before, so that the last part costs no more than the first. */
export function usersAfter(
  sql: Sql,
  { accountId, groupId, pattern }: UserFilter & { pattern: string | undefined },
  [name, email, id]: UserCursor | [],
  limit: number,
): Promise<UserRow[]> {
  return sql.query(
    `${SELECT_USER} ${USERS_WHERE}
       AND ($4::text IS NULL OR (lower(u.name), lower(u.email), u.id) > (lower($4), lower($5), $6::uuid))
     ORDER BY lower(u.name), lower(u.email), u.id LIMIT ${limit}`,
    [accountId, groupId, pattern, name, email, id],
  );
}

export async function hasOtherSuperAdmin(sql: Sql, id: string): Promise<boolean> {
  return (await sql.query<unknown[]>(OTHERS, [id])).length > 0;
}
