import { prepared } from '@warren/platform/database/prepared';
import type { Sql } from '@warren/platform/database/sql';
import type { OwnQuotas } from '@warren/rules/quotas';
import { GRANTS_OF_USER, type MemberAccessRow } from '../access/access.sql.ts';
import { SERVICE_ACCOUNT_COLUMNS, SERVICE_ACCOUNTS } from '../access/service.account.sql.ts';
import { RULES_OF_ACCOUNT, type AccessRulesRow } from '../requests/rules.sql.ts';
import { trafficOf } from '../quotas/traffic.ts';
import { USER_COLUMNS, USER_JOINS } from '../users/users.sql.ts';

const SELECT_MEMBER = prepared(
  `SELECT ${USER_COLUMNS}, a.quotas, a.explicit_grants, ${GRANTS_OF_USER} AS grants, ${RULES_OF_ACCOUNT} AS access_rules,
     ${trafficOf('a.id')} AS traffic FROM users u ${USER_JOINS} WHERE lower(u.email) = $1`,
);

const SELECT_SERVICE_ACCOUNT = prepared(
  `SELECT ${SERVICE_ACCOUNT_COLUMNS}, a.quotas, ${trafficOf('a.id')} AS traffic FROM ${SERVICE_ACCOUNTS} WHERE s.email = $1`,
);

const SELECT_INVITATION = `
  SELECT i.id, i.account_id, a.name AS account_name, a.status
  FROM invitations i JOIN accounts a ON a.id = i.account_id
  WHERE i.email = $1 AND i.expires > now()
  ORDER BY a.status = 'Active' DESC, i.invited_at DESC
  LIMIT 1`;

export interface MemberRow extends MemberAccessRow {
  quotas: OwnQuotas;
  /** Null: the account has set none. */
  access_rules: AccessRulesRow | null;
  /** Bytes of this month. */
  traffic: string | null;
}

export interface GoodInvitation {
  id: string;
  account_id: string;
  account_name: string;
  status: 'Active' | 'Inactive';
}

/** @param email in lower case */
export async function memberOf(sql: Sql, email: string): Promise<MemberRow | undefined> {
  const [row] = await sql.query<MemberRow[]>(SELECT_MEMBER, [email]);
  return row;
}

/** @param handle in lower case */
export async function serviceAccountOf(sql: Sql, handle: string): Promise<MemberRow | undefined> {
  const [row] = await sql.query<MemberRow[]>(SELECT_SERVICE_ACCOUNT, [handle]);
  return row;
}

/** The newest good invitation of an address, of an active account if there is one. */
export async function goodInvitationOf(sql: Sql, email: string): Promise<GoodInvitation | undefined> {
  const [row] = await sql.query<GoodInvitation[]>(SELECT_INVITATION, [email]);
  return row;
}
