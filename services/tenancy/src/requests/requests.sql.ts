import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import type { EntityManager } from 'typeorm';
import { listed, pageQuery, type Listed } from '../contract/page-query.ts';
import type { AccessDecisionEntity } from './decision.entity.ts';
import type { AccessRequestEntity } from './request.entity.ts';

/** A decision as it is read with its request. */
export type MadeDecision = Omit<AccessDecisionEntity, 'requestId' | 'decided'> & {
  /** ISO 8601. */
  decided: string;
};

/** With who asks, and the decisions in their order. */
export type ListedRequest = AccessRequestEntity & {
  userName: string;
  userEmail: string;
  decisions: MadeDecision[] | null;
};

const COLUMNS = `q.id, q.account_id AS "accountId", q.user_id AS "userId", q.permissions, q.filter, q.device_id AS "deviceId",
  q.device_name AS "deviceName", q.reason, q.minutes, q.approvals_needed AS "approvalsNeeded", q.state, q.created, q.expires, q.ended,
  q.grant_id AS "grantId", q.grant_expires AS "grantExpires", COALESCE(NULLIF(u.name, ''), u.email) AS "userName",
  u.email AS "userEmail",
  (SELECT jsonb_agg(jsonb_build_object('userId', d.user_id, 'name', d.name, 'approved', d.approved, 'minutes', d.minutes,
     'note', d.note, 'decided', d.decided) ORDER BY d.decided) FROM access_decisions d WHERE d.request_id = q.id) AS decisions`;
const JOINS = 'JOIN users u ON u.id = q.user_id';
/** `$2`: open ones; `$3`: of this user alone. */
const LIST = {
  source: `FROM access_requests q
    WHERE q.account_id = $1 AND (q.state = 'open') = $2 AND ($3::uuid IS NULL OR q.user_id = $3)`,
  keys: ['q.created'],
  id: 'q.id',
  columns: COLUMNS,
  joins: `JOIN access_requests q ON q.id = page.id ${JOINS}`,
};
/** What a user may still decide: open, of others, not approved by them. */
const TO_DECIDE = `
  SELECT count(*)::int AS n FROM access_requests q
  WHERE q.account_id = $1 AND q.state = 'open' AND q.user_id <> $2
    AND NOT EXISTS (SELECT FROM access_decisions d WHERE d.request_id = q.id AND d.user_id = $2)`;

/** Lists requests of an account, or of one of its users. */
export async function requestsPage(
  sql: Sql,
  { accountId, open, userId }: { accountId: string; open: boolean; userId: string | undefined },
  page: Page,
): Promise<{ rows: ListedRequest[]; total: number }> {
  const query = pageQuery(LIST, { ...page, pattern: undefined, descending: true });
  return listed(await sql.query<Listed<ListedRequest>[]>(query, [accountId, open, userId ?? null]));
}

/** Counts the open requests that an approver may decide about. */
export async function countToDecide(sql: Sql, accountId: string, userId: string): Promise<number> {
  const [row] = await sql.query<{ n: number }[]>(TO_DECIDE, [accountId, userId]);
  return row?.n ?? 0;
}

interface RequestCounts {
  account: number;
  person: number;
  daily: number;
}

/** Counts the open requests of an account, those of one user, and all of that user in 24 hours. */
export async function countOpen(sql: Sql, accountId: string, userId: string): Promise<RequestCounts> {
  const [row] = await sql.query<RequestCounts[]>(
    `SELECT count(*) FILTER (WHERE state = 'open')::int AS account,
       count(*) FILTER (WHERE state = 'open' AND user_id = $2)::int AS person,
       count(*) FILTER (WHERE user_id = $2 AND created > now() - interval '1 day')::int AS daily
     FROM access_requests WHERE account_id = $1 AND (state = 'open' OR user_id = $2)`,
    [accountId, userId],
  );
  return row ?? { account: 0, person: 0, daily: 0 };
}

/** Locks a request of an account. */
export async function lockRequest(
  manager: EntityManager,
  id: string,
  accountId: string,
): Promise<ListedRequest | undefined> {
  const [row] = await manager.query<ListedRequest[]>(
    `SELECT ${COLUMNS} FROM access_requests q ${JOINS} WHERE q.id = $1 AND q.account_id = $2 FOR UPDATE OF q`,
    [id, accountId],
  );
  return row;
}

/** Tells whether a user is in an account, and active. Locks the user against a move meanwhile. */
export async function isActiveUser(manager: EntityManager, id: string, accountId: string): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    `SELECT FROM users WHERE id = $1 AND account_id = $2 AND status = 'Active' FOR SHARE`,
    [id, accountId],
  );
  return rows.length > 0;
}

/** Counts the open requests of all accounts, and how long the oldest has waited. */
export async function waitingRequests(sql: Sql): Promise<{ open: number; oldestSeconds: number }> {
  const [row] = await sql.query<{ open: number; oldestSeconds: number }[]>(
    `SELECT count(*)::int AS open, coalesce(extract(epoch FROM now() - min(created)), 0)::float8 AS "oldestSeconds"
     FROM access_requests WHERE state = 'open'`,
  );
  return row ?? { open: 0, oldestSeconds: 0 };
}

/** Ends open requests that nobody decided about, leaving those that another replica locks. */
export async function expireRequests(manager: EntityManager, limit: number): Promise<ListedRequest[]> {
  const rows = await manager.query<ListedRequest[]>(
    `SELECT ${COLUMNS} FROM access_requests q ${JOINS}
     WHERE q.state = 'open' AND q.expires <= now() ORDER BY q.expires LIMIT ${limit} FOR UPDATE OF q SKIP LOCKED`,
  );
  await manager.query(`UPDATE access_requests SET state = 'expired', ended = now() WHERE id = ANY($1::uuid[])`, [
    rows.map(({ id }) => id),
  ]);
  return rows;
}

/** Tells whether an open request has expired. */
export async function hasExpiredRequest(sql: Sql): Promise<boolean> {
  const found = `SELECT FROM access_requests WHERE state = 'open' AND expires <= now() LIMIT 1`;
  return (await sql.query<unknown[]>(found)).length > 0;
}

/** Deletes requests that ended long ago. */
export async function deleteOldRequests(sql: Sql, limit: number): Promise<void> {
  await sql.query(
    `DELETE FROM access_requests WHERE id IN (
       SELECT id FROM access_requests WHERE ended < now() - make_interval(days => ${ACCESS_REQUEST_LIMITS.keptDays})
       LIMIT ${limit})`,
  );
}
