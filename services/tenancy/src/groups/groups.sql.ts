import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import type { RoleName } from '../contract/enums.ts';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';

export interface GroupRow {
  id: string;
  name: string;
  account_id: string;
  account_name: string;
  role: RoleName;
  is_default: boolean;
  user_count: number;
}

const WHERE = `
  WHERE ($1::uuid IS NULL OR g.account_id = $1)
    AND ($2::text IS NULL OR lower(g.name) LIKE $2)`;

const COLUMNS = `
  g.id, g.name, g.account_id, a.name AS account_name, g.role, g.is_default,
  (SELECT count(*)::int FROM users u WHERE u.account_id = g.account_id AND u.group_id = g.id) AS user_count`;
const SELECT_GROUP = `SELECT ${COLUMNS} FROM groups g JOIN accounts a ON a.id = g.account_id`;

/** By account, then by role from the widest, then by name. */
const GROUPS = {
  source: `FROM groups g JOIN accounts a ON a.id = g.account_id ${WHERE}`,
  keys: [
    'lower(a.name) COLLATE "C"',
    'a.id',
    `array_position('{SuperAdmin,Owner,Admin,Member}', g.role)`,
    'lower(g.name) COLLATE "C"',
  ],
  id: 'g.id',
  columns: COLUMNS,
  joins: 'JOIN groups g ON g.id = page.id JOIN accounts a ON a.id = g.account_id',
};

/** One statement, so that rows and total agree. @param accountId undefined for all accounts */
export async function groupsPage(sql: Sql, accountId: string | undefined, page: Page) {
  return listed(await sql.query<Listed<GroupRow>[]>(pageQuery(GROUPS, page), [accountId, page.pattern]));
}

/** @param accountId undefined for any account */
export async function groupOf(sql: Sql, id: string, accountId: string | undefined): Promise<GroupRow | undefined> {
  const where = 'WHERE g.id = $1 AND ($2::uuid IS NULL OR g.account_id = $2)';
  const [row] = await sql.query<GroupRow[]>(`${SELECT_GROUP} ${where}`, [id, accountId]);
  return row;
}

/** Every group of an account, by role from the widest, then by name. */
export function groupNamesOf(
  sql: Sql,
  accountId: string,
): Promise<Pick<GroupRow, 'id' | 'name' | 'role' | 'is_default'>[]> {
  return sql.query(
    `SELECT g.id, g.name, g.role, g.is_default FROM groups g WHERE g.account_id = $1
     ORDER BY array_position('{SuperAdmin,Owner,Admin,Member}', g.role), lower(g.name), g.id`,
    [accountId],
  );
}
