import type { Sql } from '@warren/platform/database/sql';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import type { EntityManager } from 'typeorm';
import type { AccessRequestEntity, RequestState } from './request.entity.ts';
import type { QueuedAccessMail } from './request.queue.ts';
import { APPROVERS, type AccessRulesRow } from './rules.sql.ts';

/** Hours that a mail is tried: as long as a request waits. */
const TRIED_HOURS = ACCESS_REQUEST_LIMITS.hours;
const IS_TRIED = `created >= now() - interval '${TRIED_HOURS} hours'`;
/** Longer than an attempt takes. */
const ATTEMPT = `interval '1 minute'`;

/** A mail about a request that is due: to an approver that somebody asks, or to the requester that it ended. */
export interface AccessMail {
  id: string;
  kind: QueuedAccessMail['kind'];
  email: string;
  account_id: string;
  account_name: string;
  request_id: string;
  user_name: string;
  permissions: AccessRequestEntity['permissions'];
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
 * Claims mails that are due, until half a minute later. Enqueuing one again has no effect while it waits, and restores it if the queue has
 * lost it.
 */
export async function claimMails(sql: Sql, limit: number): Promise<QueuedAccessMail[]> {
  const [mails] = await sql.query<[QueuedAccessMail[], number]>(
    `UPDATE access_mails SET due = now() + interval '30 seconds'
     WHERE id IN (SELECT id FROM access_mails WHERE due <= now() AND ${IS_TRIED} ORDER BY due LIMIT ${limit} FOR UPDATE SKIP LOCKED)
     RETURNING request_id AS request, user_id AS "user", kind`,
  );
  return mails;
}

/** Begins an attempt at a mail, and reads what it says. @returns undefined if it was sent or given up */
export async function beginMail(sql: Sql, { request, user, kind }: QueuedAccessMail): Promise<AccessMail | undefined> {
  const [mail] = await sql.query<AccessMail[]>(
    `WITH begun AS (
       UPDATE access_mails SET attempts = attempts + 1, due = now() + ${ATTEMPT}
       WHERE request_id = $1 AND user_id = $2 AND kind = $3 AND ${IS_TRIED}
       RETURNING id, kind, request_id, user_id
     )
     SELECT b.id, b.kind, r.email, q.account_id, a.name AS account_name, q.id AS request_id,
       COALESCE(NULLIF(u.name, ''), u.email) AS user_name, q.permissions, q.filter, q.device_name, q.reason, q.minutes,
       q.state, q.grant_expires, COALESCE(d.name, '') AS decided_by, COALESCE(d.note, '') AS note
     FROM begun b JOIN users r ON r.id = b.user_id JOIN access_requests q ON q.id = b.request_id
       JOIN accounts a ON a.id = q.account_id JOIN users u ON u.id = q.user_id
       LEFT JOIN LATERAL (
         SELECT name, note FROM access_decisions WHERE request_id = q.id ORDER BY decided DESC LIMIT 1
       ) d ON true`,
    [request, user, kind],
  );
  return mail;
}

/** Removes a mail that was sent, or need not be. */
export async function removeMail(sql: Sql, { request, user, kind }: QueuedAccessMail): Promise<void> {
  await sql.query('DELETE FROM access_mails WHERE request_id = $1 AND user_id = $2 AND kind = $3', [
    request,
    user,
    kind,
  ]);
}

/** Gives up mails that could not be sent for long. */
export async function dropOldMails(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM access_mails WHERE NOT (${IS_TRIED})`);
}
