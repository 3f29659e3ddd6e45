import type { Sql } from '@warren/platform/database/sql';
import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import type { ScimFilter } from './scim.users.sql.ts';

/** A group with the role Member: SCIM reaches no others. */
export interface ScimGroupRow {
  id: string;
  name: string;
  is_default: boolean;
  created: Date;
  external_id: string;
}

/** A user as a member of a group. */
export interface ScimMemberRow {
  id: string;
  group_id: string;
  name: string;
}

const FROM = `FROM groups g LEFT JOIN scim_groups s ON s.group_id = g.id AND s.account_id = g.account_id WHERE g.account_id = $1 AND g.role = 'Member'`;
const SELECT = `SELECT g.id, g.name, g.is_default, g.created, coalesce(s.external_id, '') AS external_id ${FROM}`;

/** Conditions on $2, by attribute. Attributes of users find no group. */
const CONDITIONS: Readonly<Record<ScimAttribute, string>> = {
  [ScimAttribute.UNSPECIFIED]: '$2::text IS NOT NULL',
  [ScimAttribute.ID]: 'g.id::text = lower($2)',
  [ScimAttribute.USER_NAME]: '$2::text IS NULL',
  [ScimAttribute.EXTERNAL_ID]: 's.external_id = $2',
  [ScimAttribute.EMAIL]: '$2::text IS NULL',
  [ScimAttribute.DISPLAY_NAME]: 'lower(g.name) = lower($2)',
};

/** Oldest first. */
export function scimGroups(
  sql: Sql,
  { accountId, attribute, value }: ScimFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ScimGroupRow[]> {
  const text = `${SELECT} AND ${CONDITIONS[attribute]} ORDER BY g.created, g.id OFFSET $3 LIMIT $4`;
  return sql.query(text, [accountId, value, offset, limit]);
}

export async function countScimGroups(sql: Sql, { accountId, attribute, value }: ScimFilter): Promise<number> {
  const text = `SELECT count(*)::int AS n ${FROM} AND ${CONDITIONS[attribute]}`;
  return (await sql.query<{ n: number }[]>(text, [accountId, value]))[0]?.n ?? 0;
}

/** Locks a group until the transaction ends. */
export async function lockScimGroup(sql: Sql, accountId: string, id: string): Promise<ScimGroupRow | undefined> {
  return (await sql.query<ScimGroupRow[]>(`${SELECT} AND g.id = $2 FOR UPDATE OF g`, [accountId, id]))[0];
}

/** The members of groups, by name. */
export function membersOf(sql: Sql, accountId: string, groups: readonly string[]): Promise<ScimMemberRow[]> {
  return sql.query(
    `SELECT id, group_id, coalesce(nullif(name, ''), email) AS name FROM users
     WHERE account_id = $1 AND group_id = ANY($2::uuid[]) ORDER BY lower(name), id`,
    [accountId, groups],
  );
}

/** Notes that SCIM provisions a group, so that nothing else puts users into it. */
export async function claimGroup(sql: Sql, accountId: string, groupId: string): Promise<void> {
  await sql.query(
    `INSERT INTO scim_groups (group_id, account_id, external_id) VALUES ($1, $2, '') ON CONFLICT DO NOTHING`,
    [groupId, accountId],
  );
}

export async function saveExternalId(sql: Sql, accountId: string, groupId: string, externalId: string): Promise<void> {
  await sql.query(
    `INSERT INTO scim_groups (group_id, account_id, external_id) VALUES ($1, $2, $3)
     ON CONFLICT (group_id) DO UPDATE SET external_id = excluded.external_id`,
    [groupId, accountId, externalId],
  );
}
