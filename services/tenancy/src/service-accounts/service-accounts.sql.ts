import type { Sql } from '@warren/platform/database/sql';
import type { ServiceAccountRole } from '@warren/rules/service-accounts';
import type { EntityManager } from 'typeorm';
import type { MemberAccessRow } from '../access/access.sql.ts';
import { SERVICE_ACCOUNT_COLUMNS, SERVICE_ACCOUNTS } from '../access/service.account.sql.ts';
import type { StatusName } from '../contract/enums.ts';

/** A service account, with the grants that name it. */
export interface ServiceAccountRow extends MemberAccessRow {
  role: ServiceAccountRole;
  description: string;
  created: Date;
  created_by: string;
}

/** What a new one has. */
export type NewServiceAccount = Pick<
  ServiceAccountRow,
  'id' | 'account_id' | 'name' | 'email' | 'description' | 'role' | 'created_by'
>;

/** What can change of one. */
export interface Content {
  description: string;
  role: ServiceAccountRole;
  status: StatusName;
}

const SELECT = `
  SELECT ${SERVICE_ACCOUNT_COLUMNS}, s.description, s.created, s.created_by FROM ${SERVICE_ACCOUNTS} WHERE s.account_id = $1`;

/** Lists the service accounts of an account, by name. */
export function listServiceAccounts(sql: Sql, accountId: string): Promise<ServiceAccountRow[]> {
  return sql.query(`${SELECT} ORDER BY lower(s.name), s.id`, [accountId]);
}

/** Reads a service account of an account. */
export async function serviceAccount(
  sql: Sql,
  { id, accountId }: { id: string; accountId: string },
): Promise<ServiceAccountRow | undefined> {
  const [row] = await sql.query<ServiceAccountRow[]>(`${SELECT} AND s.id = $2`, [accountId, id]);
  return row;
}

/** Ids and handles of the service accounts of an account. */
export function handlesOf(sql: Sql, accountId: string): Promise<{ id: string; email: string }[]> {
  return sql.query('SELECT id, email FROM service_accounts WHERE account_id = $1 ORDER BY id', [accountId]);
}

/** Counts the service accounts of an account, whose row is locked, and those with a name in any case. */
export async function countServiceAccounts(
  manager: EntityManager,
  accountId: string,
  name: string,
): Promise<{ all: number; named: number }> {
  const [row] = await manager.query<{ all: number; named: number }[]>(
    `SELECT count(*)::int AS all, count(*) FILTER (WHERE lower(name) = lower($2))::int AS named
     FROM service_accounts WHERE account_id = $1`,
    [accountId, name],
  );
  return row ?? { all: 0, named: 0 };
}

export async function insertServiceAccount(manager: EntityManager, row: NewServiceAccount): Promise<void> {
  await manager.query(
    `INSERT INTO service_accounts (id, account_id, name, email, description, role, status, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, 'Active', $7)`,
    [row.id, row.account_id, row.name, row.email, row.description, row.role, row.created_by],
  );
}

export async function updateServiceAccount(manager: EntityManager, id: string, content: Content): Promise<void> {
  await manager.query('UPDATE service_accounts SET description = $2, role = $3, status = $4 WHERE id = $1', [
    id,
    content.description,
    content.role,
    content.status,
  ]);
}

export async function deleteServiceAccount(manager: EntityManager, id: string): Promise<void> {
  await manager.query('DELETE FROM service_accounts WHERE id = $1', [id]);
}
