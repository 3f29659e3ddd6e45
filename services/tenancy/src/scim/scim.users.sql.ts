import type { Sql } from '@warren/platform/database/sql';
import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import type { RoleName, StatusName } from '../contract/enums.ts';

/** A user with what the identity provider calls it. */
export interface ScimUserRow {
  id: string;
  account_id: string;
  email: string;
  name: string;
  status: StatusName;
  created: Date;
  group_id: string;
  group_name: string;
  role: RoleName;
  user_name: string;
  external_id: string;
  given_name: string;
  family_name: string;
  /** The address as the identity provider writes it; empty if it gave none. */
  written_email: string;
}

/** What the identity provider calls a user. */
export type ScimNames = Pick<ScimUserRow, 'user_name' | 'external_id' | 'given_name' | 'family_name' | 'written_email'>;

/** Resources of an account whose attribute has a value. */
export interface ScimFilter {
  accountId: string;
  attribute: ScimAttribute;
  value: string;
}

const FROM = `
  FROM users u
  JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
  LEFT JOIN scim_users s ON s.user_id = u.id AND s.account_id = u.account_id`;

const SELECT = `
  SELECT u.id, u.account_id, u.email, u.name, u.status, u.created, u.group_id, g.name AS group_name, g.role,
    coalesce(s.user_name, u.email) AS user_name, coalesce(s.external_id, '') AS external_id,
    coalesce(s.given_name, '') AS given_name, coalesce(s.family_name, '') AS family_name,
    coalesce(s.email, '') AS written_email
  ${FROM}`;

/** Conditions on $2, by attribute; user names and addresses ignore case (RFC 7643, section 4.1.1). */
const CONDITIONS: Readonly<Record<ScimAttribute, string>> = {
  [ScimAttribute.UNSPECIFIED]: '$2::text IS NOT NULL',
  [ScimAttribute.ID]: 'u.id::text = lower($2)',
  [ScimAttribute.USER_NAME]: 'lower(coalesce(s.user_name, u.email)) = lower($2)',
  [ScimAttribute.EXTERNAL_ID]: 's.external_id = $2',
  [ScimAttribute.EMAIL]: 'lower(u.email) = lower($2)',
  [ScimAttribute.DISPLAY_NAME]: 'lower(u.name) = lower($2)',
};

export async function scimUserOf(sql: Sql, accountId: string, id: string): Promise<ScimUserRow | undefined> {
  return (await sql.query<ScimUserRow[]>(`${SELECT} WHERE u.account_id = $1 AND u.id = $2`, [accountId, id]))[0];
}

/** Oldest first. */
export function scimUsers(
  sql: Sql,
  { accountId, attribute, value }: ScimFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ScimUserRow[]> {
  const where = `WHERE u.account_id = $1 AND ${CONDITIONS[attribute]}`;
  return sql.query(`${SELECT} ${where} ORDER BY u.created, u.id OFFSET $3 LIMIT $4`, [accountId, value, offset, limit]);
}

export async function countScimUsers(sql: Sql, { accountId, attribute, value }: ScimFilter): Promise<number> {
  const where = `WHERE u.account_id = $1 AND ${CONDITIONS[attribute]}`;
  const [row] = await sql.query<{ n: number }[]>(`SELECT count(*)::int AS n ${FROM} ${where}`, [accountId, value]);
  return row?.n ?? 0;
}

/** Whether a user name is the address of another user of the account. */
export async function isOthersAddress(
  sql: Sql,
  { id, account_id }: Pick<ScimUserRow, 'id' | 'account_id'>,
  userName: string,
): Promise<boolean> {
  const others = 'SELECT FROM users WHERE account_id = $1 AND id <> $2 AND lower(email) = lower($3)';
  return (await sql.query<unknown[]>(others, [account_id, id, userName])).length > 0;
}

export async function saveScimNames(sql: Sql, user: Pick<ScimUserRow, 'id' | 'account_id'> & ScimNames): Promise<void> {
  await sql.query(
    `INSERT INTO scim_users (user_id, account_id, user_name, external_id, given_name, family_name, email)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (user_id) DO UPDATE SET account_id = excluded.account_id, user_name = excluded.user_name,
       external_id = excluded.external_id, given_name = excluded.given_name, family_name = excluded.family_name,
       email = excluded.email`,
    [user.id, user.account_id, user.user_name, user.external_id, user.given_name, user.family_name, user.written_email],
  );
}
