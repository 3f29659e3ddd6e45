import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import type { GrantPermission } from '@warren/rules/grants';
import type { EntityManager } from 'typeorm';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';
import { USER_COLUMNS, USER_JOINS } from '../users/users.sql.ts';
import type { RoleName } from '../contract/enums.ts';
import type { UserRow } from '../users/user.row.ts';
import type { GrantEntity } from './grant.entity.ts';

/** A grant. Without a user, a group and a service account it is of every user of the account. */
export type Grant = GrantEntity & { serviceAccountId: string | null };

/** With the name of its subject; empty for everyone. */
export type ListedGrant = Grant & { subjectName: string };

/** Where grants are: those of service accounts apart, which administrators alone create. */
const TABLES = ['grants', 'service_account_grants'] as const;
const CONTENT = 'permissions, filter, note, expires, created, created_by';
const ALL = `(
  SELECT id, account_id, user_id, group_id, NULL::uuid AS service_account_id, source, ${CONTENT} FROM grants
  UNION ALL
  SELECT id, account_id, NULL, NULL, service_account_id, 'administrator', ${CONTENT} FROM service_account_grants)`;
const SELECT = `
  SELECT gr.id, gr.account_id AS "accountId", gr.user_id AS "userId", gr.group_id AS "groupId",
    gr.service_account_id AS "serviceAccountId", gr.source, gr.permissions, gr.filter, gr.note, gr.expires, gr.created,
    gr.created_by AS "createdBy", COALESCE(su.name, sg.name, sa.name, '') AS "subjectName"
  FROM ${ALL} gr LEFT JOIN groups sg ON sg.id = gr.group_id LEFT JOIN service_accounts sa ON sa.id = gr.service_account_id
    LEFT JOIN (SELECT id, COALESCE(NULLIF(name, ''), email) AS name FROM users) su ON su.id = gr.user_id`;
/** Of `grants gr`. */
export const LIVE = '(gr.expires IS NULL OR gr.expires > now())';

/** Of `grants gr`, as {@link MemberGrant}. */
export const GRANTS_AS_JSON = `jsonb_agg(
  jsonb_build_object('id', gr.id, 'permissions', gr.permissions, 'filter', gr.filter, 'expires', gr.expires) ORDER BY gr.id)`;

/** The grants that name `users u`, as JSON of {@link MemberGrant}; null without one. */
export const GRANTS_OF_USER = `(
  SELECT ${GRANTS_AS_JSON}
  FROM grants gr
  WHERE gr.account_id = u.account_id AND ${LIVE}
    AND (gr.user_id = u.id OR gr.group_id = u.group_id OR (gr.user_id IS NULL AND gr.group_id IS NULL)))`;

/** A grant as {@link GRANTS_OF_USER} reads it. */
export interface MemberGrant {
  id: string;
  permissions: GrantPermission[];
  filter: string;
  /** ISO 8601. */
  expires: string | null;
}

/** A user with the grants that name them. */
export type MemberAccessRow = UserRow & { explicit_grants: boolean; grants: MemberGrant[] | null };

const MEMBER_COLUMNS = `${USER_COLUMNS}, a.explicit_grants, ${GRANTS_OF_USER} AS grants`;
const ACTIVE = `u.account_id = $1 AND u.status = 'Active'`;
/** `$2`: this one alone. */
const MEMBERS = {
  source: `FROM users u ${USER_JOINS} WHERE ${ACTIVE} AND ($2::uuid IS NULL OR u.id = $2)
    AND ($3::text IS NULL OR lower(u.name || ' ' || u.email) LIKE $3)`,
  keys: ['u.sort_key'],
  id: 'u.id',
  columns: MEMBER_COLUMNS,
  joins: `JOIN users u ON u.id = page.id ${USER_JOINS}`,
};

/** Lists the grants of an account, the newest first. */
export function listGrants(sql: Sql, accountId: string): Promise<ListedGrant[]> {
  return sql.query(`${SELECT} WHERE gr.account_id = $1 AND ${LIVE} ORDER BY gr.created DESC, gr.id DESC`, [accountId]);
}

/** Reads the grants of an account that may name saved filters, once those that are being written are there. */
export async function readNaming(manager: EntityManager, accountId: string): Promise<ListedGrant[]> {
  await manager.query('SELECT FROM accounts WHERE id = $1 FOR SHARE', [accountId]);
  return manager.query(`${SELECT} WHERE gr.account_id = $1 AND ${LIVE} AND gr.filter LIKE '%in:%' ORDER BY gr.id`, [
    accountId,
  ]);
}

/** Locks a grant of an account. */
export async function lockGrant(
  manager: EntityManager,
  id: string,
  accountId: string,
): Promise<ListedGrant | undefined> {
  for (const table of TABLES) await manager.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
  const [row] = await manager.query<ListedGrant[]>(`${SELECT} WHERE gr.id = $1 AND gr.account_id = $2 AND ${LIVE}`, [
    id,
    accountId,
  ]);
  return row;
}

/** Counts the grants of an account, whose row is locked. */
export async function countGrants(manager: EntityManager, accountId: string): Promise<number> {
  const [row] = await manager.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM ${ALL} gr WHERE gr.account_id = $1 AND ${LIVE}`,
    [accountId],
  );
  return row?.n ?? 0;
}

/** Deletes grants. */
export async function deleteGrants(manager: EntityManager, ids: readonly string[]): Promise<void> {
  for (const table of TABLES) await manager.query(`DELETE FROM ${table} WHERE id = ANY($1::uuid[])`, [ids]);
}

/** Deletes grants that have expired, leaving those that another replica deletes. */
export async function deleteExpired(manager: EntityManager, limit: number): Promise<ListedGrant[]> {
  const ids: string[] = [];
  for (const table of TABLES) {
    const expired = await manager.query<{ id: string }[]>(
      `SELECT id FROM ${table} WHERE expires <= now() ORDER BY expires LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
    );
    ids.push(...expired.map(({ id }) => id));
  }
  const rows = await manager.query<ListedGrant[]>(`${SELECT} WHERE gr.id = ANY($1::uuid[]) ORDER BY gr.expires`, [ids]);
  await deleteGrants(manager, ids);
  return rows;
}

/** Reads active users of an account with their grants, by name. */
export async function membersPage(
  sql: Sql,
  { accountId, userId }: { accountId: string; userId: string | undefined },
  page: Page,
): Promise<{ rows: MemberAccessRow[]; total: number }> {
  const values = [accountId, userId ?? null, page.pattern ?? null];
  return listed(await sql.query<Listed<MemberAccessRow>[]>(pageQuery(MEMBERS, page), values));
}

/** Reads active users of the role Member of an account with explicit grants, by id. */
export function restrictedAfter(
  sql: Sql,
  { accountId, after, limit }: { accountId: string; after: string; limit: number },
): Promise<MemberAccessRow[]> {
  return sql.query(
    `SELECT ${MEMBER_COLUMNS} FROM users u ${USER_JOINS}
     WHERE ${ACTIVE} AND g.role = 'Member' AND a.explicit_grants AND NOT a.operator AND u.id > $2 ORDER BY u.id LIMIT ${limit}`,
    [accountId, after],
  );
}

/** A user or a service account of the role Member. */
export interface RestrictableRow {
  id: string;
  name: string;
  email: string;
  /** Empty for a service account, as is its name. */
  group_id: string;
  group_name: string;
  service_account: boolean;
}

/** Reads the active users and service accounts of the role Member of an account, by id. */
export function restrictableAfter(
  sql: Sql,
  { accountId, after, limit }: { accountId: string; after: string; limit: number },
): Promise<RestrictableRow[]> {
  return sql.query(
    `SELECT * FROM (
       SELECT u.id, u.name, u.email, g.id::text AS group_id, g.name AS group_name, false AS service_account
       FROM users u JOIN groups g ON g.id = u.group_id WHERE ${ACTIVE} AND g.role = 'Member' AND u.id > $2
       UNION ALL
       SELECT s.id, s.name, s.email, '', '', true FROM service_accounts s
       WHERE s.account_id = $1 AND s.status = 'Active' AND s.role = 'Member' AND s.id > $2
     ) restrictable ORDER BY id LIMIT ${limit}`,
    [accountId, after],
  );
}

/** Counts the active users and service accounts of the operator account by role. */
export function countOperators(sql: Sql): Promise<{ role: RoleName; users: number; service_accounts: number }[]> {
  return sql.query(
    `SELECT role, sum(person)::int AS users, sum(1 - person)::int AS service_accounts
     FROM (
       SELECT g.role, 1 AS person
       FROM accounts a JOIN users u ON u.account_id = a.id JOIN groups g ON g.id = u.group_id
       WHERE a.operator AND u.status = 'Active'
       UNION ALL
       SELECT s.role, 0 FROM accounts a JOIN service_accounts s ON s.account_id = a.id
       WHERE a.operator AND s.status = 'Active'
     ) operators
     GROUP BY role`,
  );
}

const SUBJECTS = {
  user: `COALESCE(NULLIF(name, ''), email) AS name FROM users`,
  group: 'name FROM groups',
  'service account': 'name FROM service_accounts',
} as const;

/** Tells whether a user, a group or a service account is of an account, and its name. Locks it, so that it is not deleted meanwhile. */
export async function lockSubject(
  manager: EntityManager,
  kind: keyof typeof SUBJECTS,
  { id, accountId }: { id: string; accountId: string },
): Promise<{ name: string } | undefined> {
  const [row] = await manager.query<{ name: string }[]>(
    `SELECT ${SUBJECTS[kind]} WHERE id = $1 AND account_id = $2 FOR KEY SHARE`,
    [id, accountId],
  );
  return row;
}

/** Tells whether a grant has expired and is there still. */
export async function hasExpired(sql: Sql): Promise<boolean> {
  const found = await sql.query<unknown[]>(`SELECT FROM ${ALL} gr WHERE expires <= now() LIMIT 1`);
  return found.length > 0;
}
