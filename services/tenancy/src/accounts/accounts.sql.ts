import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import type { OwnQuotas } from '@warren/rules/quotas';
import type { StatusName } from '../contract/enums.ts';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';

export interface AccountRow {
  id: string;
  name: string;
  created: Date;
  status: StatusName;
  operator: boolean;
  quotas: OwnQuotas;
  owner: { name: string; email: string; picture: string; signed_up: boolean } | null;
}

/** The future owner, with a valid invitation into a group of owners; without one, the group's first user. */
const OWNER = `
  LEFT JOIN LATERAL (
    SELECT u.name, u.email, u.picture, true AS signed_up, u.created
    FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
    WHERE u.account_id = a.id AND g.role = 'Owner'
    UNION ALL
    SELECT '', i.email, '', false, i.invited_at
    FROM invitations i JOIN groups g ON g.id = i.group_id AND g.account_id = i.account_id
    WHERE i.account_id = a.id AND g.role = 'Owner' AND i.expires > now()
    ORDER BY signed_up, created, email
    LIMIT 1
  ) o ON true`;
const COLUMNS = 'a.id, a.name, a.created, a.status, a.operator, a.quotas, to_jsonb(o) AS owner';
const SELECT_ACCOUNT = `SELECT ${COLUMNS} FROM accounts a ${OWNER}`;

const ACCOUNTS = {
  source: 'FROM accounts a WHERE ($1::text IS NULL OR lower(a.name) LIKE $1)',
  keys: ['lower(a.name) COLLATE "C"'],
  id: 'a.id',
  columns: COLUMNS,
  joins: `JOIN accounts a ON a.id = page.id ${OWNER}`,
};

/** One statement, so that rows and total agree. */
export async function accountsPage(sql: Sql, page: Page) {
  return listed(await sql.query<Listed<AccountRow>[]>(pageQuery(ACCOUNTS, page), [page.pattern]));
}

/** Finds accounts by their ids, in no order. */
export function accountsOf(sql: Sql, ids: readonly string[]): Promise<AccountRow[]> {
  return sql.query(`${SELECT_ACCOUNT} WHERE a.id = ANY($1::uuid[])`, [ids]);
}

export async function accountOf(sql: Sql, id: string): Promise<AccountRow | undefined> {
  const [row] = await sql.query<AccountRow[]>(`${SELECT_ACCOUNT} WHERE a.id = $1`, [id]);
  return row;
}
