import type { Sql } from '@warren/platform/database/sql';
import { GRANTS_AS_JSON, LIVE, type MemberAccessRow } from './access.sql.ts';

/** A service account as a member of its account: without a group, and without an identity of a sign-in. */
export const SERVICE_ACCOUNT_COLUMNS = `
  s.id, s.name, s.email, '' AS picture, s.status, s.account_id, a.name AS account_name, a.status AS account_status,
  a.operator, '' AS group_id, '' AS group_name, s.role, '' AS provider, '' AS subject, a.explicit_grants,
  (SELECT ${GRANTS_AS_JSON} FROM service_account_grants gr WHERE gr.service_account_id = s.id AND ${LIVE}) AS grants`;
export const SERVICE_ACCOUNTS = 'service_accounts s JOIN accounts a ON a.id = s.account_id';

const SELECT_ACTIVE = `
  SELECT ${SERVICE_ACCOUNT_COLUMNS} FROM ${SERVICE_ACCOUNTS} WHERE s.account_id = $1 AND s.status = 'Active'`;

/** Reads the active service accounts of an account, by name. */
export function activeServiceAccounts(sql: Sql, accountId: string): Promise<MemberAccessRow[]> {
  return sql.query(`${SELECT_ACTIVE} ORDER BY lower(s.name), s.id`, [accountId]);
}

/** Reads active service accounts of the role Member of an account with explicit grants, by id. */
export function restrictedServiceAccountsAfter(
  sql: Sql,
  { accountId, after, limit }: { accountId: string; after: string; limit: number },
): Promise<MemberAccessRow[]> {
  return sql.query(
    `${SELECT_ACTIVE} AND s.role = 'Member' AND a.explicit_grants AND NOT a.operator AND s.id > $2 ORDER BY s.id LIMIT ${limit}`,
    [accountId, after],
  );
}
