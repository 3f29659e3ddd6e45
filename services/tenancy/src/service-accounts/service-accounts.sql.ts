import type { Sql } from '@warren/platform/database/sql';
import type { ServiceAccountRole } from '@warren/rules/service-accounts';
import type { EntityManager } from 'typeorm';
import type { MemberAccessRow } from '../access/access.sql.ts';
import { SERVICE_ACCOUNT_COLUMNS, SERVICE_ACCOUNTS } from '../access/service.account.sql.ts';

/** A service account, with the grants that name it. */
export interface ServiceAccountRow extends MemberAccessRow {
  role: ServiceAccountRole;
  description: string;
  created: Date;
  created_by: string;
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
