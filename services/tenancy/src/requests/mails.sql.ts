import type { Sql } from '@warren/platform/database/sql';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import type { EntityManager } from 'typeorm';
import type { ListedRequest, RequestState } from './requests.sql.ts';
import { APPROVERS, type AccessRulesRow } from './rules.sql.ts';

/** Hours that a mail is tried: as long as a request waits. */
const TRIED_HOURS = ACCESS_REQUEST_LIMITS.hours;

/** A mail about a request that is due: to an approver that somebody asks, or to the requester that it ended. */
export interface AccessMail {
  id: string;
  kind: 'asked' | 'ended';
  email: string;
  account_id: string;
  account_name: string;
  request_id: string;
  user_name: string;
  permissions: ListedRequest['permissions'];
  filter: string;
  device_name: string;
  reason: string;
  minutes: number;
  state: RequestState;
  grant_expires: Date | null;
  /** Who decided last, and what they said; empty without a decision. */
  decided_by: string;
  note: string;
}

/** Adds the mails to the approvers of a new request, who are not the requester. */
export async function enqueueAsked(
  manager: EntityManager,
  { accountId, rules, requestId }: { accountId: string; rules: AccessRulesRow; requestId: string },
): Promise<void> {
  await manager.query(
    `INSERT INTO access_mails (request_id, user_id, kind)
     SELECT $3, u.id, 'asked' ${APPROVERS} AND u.id <> (SELECT q.user_id FROM access_requests q WHERE q.id = $3)
     ORDER BY u.id LIMIT ${ACCESS_REQUEST_LIMITS.mailed}`,
    [accountId, rules.approver_group, requestId],
  );
}

/** Adds the mails to the requesters of requests that ended, and drops those that ask for a decision. */
export async function enqueueEnded(manager: EntityManager, requests: readonly { id: string }[]): Promise<void> {
  const ids = [requests.map(({ id }) => id)];
  await manager.query(`DELETE FROM access_mails WHERE request_id = ANY($1::uuid[])`, ids);
  await manager.query(
    `INSERT INTO access_mails (request_id, user_id, kind)
     SELECT q.id, q.user_id, 'ended' FROM access_requests q WHERE q.id = ANY($1::uuid[])`,
    ids,
  );
}

/**
 * Claims mails that are due, and lets them be due again later: after a minute, then after twice as long each time, up to an hour. Of several
 * replicas each gets others.
 */
export async function claimMails(sql: Sql, limit: number): Promise<AccessMail[]> {
  return sql.query<AccessMail[]>(
    `WITH claimed AS (
       UPDATE access_mails SET attempts = attempts + 1, due = now() + make_interval(mins => LEAST(60, 2 ^ LEAST(attempts, 6))::int)
       WHERE id IN (SELECT id FROM access_mails WHERE due <= now() ORDER BY due LIMIT ${limit} FOR UPDATE SKIP LOCKED)
       RETURNING id, kind, request_id, user_id
     )
     SELECT c.id, c.kind, r.email, q.account_id, a.name AS account_name, q.id AS request_id,
       COALESCE(NULLIF(u.name, ''), u.email) AS user_name, q.permissions, q.filter, q.device_name, q.reason, q.minutes,
       q.state, q.grant_expires, COALESCE(d.name, '') AS decided_by, COALESCE(d.note, '') AS note
     FROM claimed c JOIN users r ON r.id = c.user_id JOIN access_requests q ON q.id = c.request_id
       JOIN accounts a ON a.id = q.account_id JOIN users u ON u.id = q.user_id
       LEFT JOIN LATERAL (
         SELECT name, note FROM access_decisions WHERE request_id = q.id ORDER BY decided DESC LIMIT 1
       ) d ON true`,
  );
}

/** Removes a mail that was sent, or need not be. */
export async function removeMail(sql: Sql, id: string): Promise<void> {
  await sql.query('DELETE FROM access_mails WHERE id = $1', [id]);
}

/** Gives up mails that could not be sent for long. */
export async function dropOldMails(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM access_mails WHERE created < now() - make_interval(hours => ${TRIED_HOURS})`);
}
