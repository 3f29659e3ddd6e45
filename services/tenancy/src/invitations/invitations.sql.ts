import type { Page } from '@warren/platform/database/page';
import type { Sql } from '@warren/platform/database/sql';
import type { DeliveryName } from '../contract/enums.ts';
import type { InvitationMail } from './invitation.queue.ts';
import type { InvitationRow } from './invitation.row.ts';

const SELECT_INVITATION = `
  SELECT i.id, i.email, i.name, i.invited_at, i.expires, i.account_id, a.name AS account_name, i.group_id,
    g.name AS group_name, g.role, i.delivery, i.delivery_problem, i.joined_elsewhere,
    coalesce((SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.id = i.invited_by), '') AS inviter
  FROM invitations i
  JOIN accounts a ON a.id = i.account_id
  JOIN groups g ON g.id = i.group_id AND g.account_id = i.account_id`;

const WHERE = `
  WHERE ($1::uuid IS NULL OR i.account_id = $1)
    AND ($2::uuid IS NULL OR i.group_id = $2)
    AND ($3::text IS NULL OR i.email LIKE $3)`;

const OF_LINK = 'i.email = $1 AND i.account_id = $2 AND i.expires > now()';

/** Replaces a pending invitation of the same e-mail: other group, other token, other mail. */
const UPSERT = `
  INSERT INTO invitations (id, account_id, group_id, email, invited_by, mailing)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (account_id, lower(email)) DO UPDATE SET
    group_id = excluded.group_id, invited_by = excluded.invited_by, mailing = excluded.mailing,
    token_hash = NULL, invited_at = now(), expires = now() + interval '7 days', name = '', agreed_at = NULL,
    delivery = 'Queued', delivery_problem = '', enqueued_at = NULL, joined_elsewhere = false
  RETURNING id`;

/** The mail's token replaces that of a former attempt, whose mail never arrived. */
const GIVE_TOKEN = `
  UPDATE invitations SET token_hash = $3
  WHERE id = $1 AND mailing = $2 AND delivery <> 'Sent' AND expires > now()
  RETURNING id`;

/** The seven days count from the mail. Writes nothing if the state is unchanged. */
const NOTE = `
  UPDATE invitations SET delivery = $3, delivery_problem = $4,
    expires = CASE WHEN $3 = 'Sent' THEN now() + interval '7 days' ELSE expires END
  WHERE id = $1 AND mailing = $2 AND (delivery, delivery_problem) <> ($3, $4)
  RETURNING id, account_id AS "accountId"`;

/** Those about access requests too. */
const COUNT = `
  SELECT (count(*) + (SELECT count(*) FROM access_mails))::int AS n
  FROM invitations WHERE delivery <> 'Sent' AND expires > now()`;

/**
 * Claims unsent mails that were not enqueued lately. Enqueuing one again has no effect while it waits, and restores it if the
 * queue has lost it.
 */
const CLAIM = (limit: number) => `
  UPDATE invitations SET enqueued_at = now()
  WHERE id IN (
    SELECT id FROM invitations
    WHERE delivery <> 'Sent' AND expires > now()
      AND (enqueued_at IS NULL OR enqueued_at < now() - interval '30 seconds')
    ORDER BY enqueued_at NULLS FIRST
    LIMIT ${limit}
    FOR UPDATE SKIP LOCKED
  )
  RETURNING id AS invitation, mailing`;

/** An invitation that a statement changed. */
export interface Changed {
  id: string;
  accountId: string;
}

/** The accounts and groups to read; undefined for all. */
interface Filter {
  accountId: string | undefined;
  groupId: string | undefined;
}

/** @param accountId undefined for any account */
export async function invitationOf(sql: Sql, id: string, accountId?: string): Promise<InvitationRow | undefined> {
  const where = 'WHERE i.id = $1 AND ($2::uuid IS NULL OR i.account_id = $2)';
  const [row] = await sql.query<InvitationRow[]>(`${SELECT_INVITATION} ${where}`, [id, accountId]);
  return row;
}

/** By address. */
export function invitationsOf(sql: Sql, ids: readonly string[]): Promise<InvitationRow[]> {
  return sql.query(`${SELECT_INVITATION} WHERE i.id = ANY($1) ORDER BY i.email`, [ids]);
}

/** The good invitations of an address, newest first. */
export function goodInvitations(sql: Sql, email: string, limit: number): Promise<InvitationRow[]> {
  return sql.query(
    `${SELECT_INVITATION} WHERE i.email = $1 AND i.expires > now() ORDER BY i.invited_at DESC, i.id DESC LIMIT ${limit}`,
    [email],
  );
}

/** The good invitation of an address to an account. @param tokenHash that it must have; undefined for any */
export async function invitationOfLink(
  sql: Sql,
  { email, accountId, tokenHash }: { email: string; accountId: string; tokenHash: Buffer | undefined },
): Promise<InvitationRow | undefined> {
  const [row] = await (tokenHash === undefined
    ? sql.query<InvitationRow[]>(`${SELECT_INVITATION} WHERE ${OF_LINK}`, [email, accountId])
    : sql.query<InvitationRow[]>(`${SELECT_INVITATION} WHERE ${OF_LINK} AND i.token_hash = $3`, [
        email,
        accountId,
        tokenHash,
      ]));
  return row;
}

/** Newest first. Two statements: run them in a snapshot. */
export async function invitationsPage(sql: Sql, { accountId, groupId }: Filter, { pattern, limit, offset }: Page) {
  const filter = [accountId, groupId, pattern];
  const rows = await sql.query<InvitationRow[]>(
    `${SELECT_INVITATION} ${WHERE} ORDER BY i.invited_at DESC, i.id DESC LIMIT $4 OFFSET $5`,
    [...filter, limit, offset],
  );
  const [total] = await sql.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM invitations i ${WHERE}`, filter);
  return { rows, total: total?.n ?? 0 };
}

/** @returns the id of the invitation, new or renewed */
export async function upsertInvitation(
  sql: Sql,
  one: { id: string; accountId: string; groupId: string; email: string; invitedBy: string | null; mailing: string },
): Promise<string> {
  const values = [one.id, one.accountId, one.groupId, one.email, one.invitedBy, one.mailing];
  const [row] = await sql.query<{ id: string }[]>(UPSERT, values);
  return row?.id ?? '';
}

/** Locks the account of an invitation before the invitation, until the transaction ends. */
export async function lockWithAccount(sql: Sql, id: string): Promise<void> {
  await sql.query(
    'SELECT id FROM accounts WHERE id = (SELECT account_id FROM invitations WHERE id = $1) FOR NO KEY UPDATE',
    [id],
  );
  await lockInvitation(sql, id);
}

export async function lockInvitation(sql: Sql, id: string): Promise<void> {
  await sql.query('SELECT id FROM invitations WHERE id = $1 FOR UPDATE', [id]);
}

/** Locks every invitation of an address, in an order that prevents deadlocks. */
export async function lockInvitationsTo(sql: Sql, email: string): Promise<void> {
  await sql.query('SELECT id FROM invitations WHERE email = $1 ORDER BY id FOR UPDATE', [email]);
}

/** @returns the voided invitations of a person who joined elsewhere */
export async function voidInvitationsTo(sql: Sql, email: string): Promise<Changed[]> {
  const [voided] = await sql.query<[Changed[], number]>(
    `UPDATE invitations SET joined_elsewhere = true, expires = now(), token_hash = NULL, mailing = gen_random_uuid()
     WHERE email = $1 AND expires > now() RETURNING id, account_id AS "accountId"`,
    [email],
  );
  return voided;
}

/** @returns whether the mail is still due */
export async function giveToken(sql: Sql, { invitation, mailing }: InvitationMail, hash: Buffer): Promise<boolean> {
  const [given] = await sql.query<[unknown[], number]>(GIVE_TOKEN, [invitation, mailing, hash]);
  return given.length > 0;
}

/** @returns the invitation, if its state changed */
export async function noteDelivery(
  sql: Sql,
  { invitation, mailing }: InvitationMail,
  delivery: DeliveryName,
  problem: string,
): Promise<Changed[]> {
  const [rows] = await sql.query<[Changed[], number]>(NOTE, [invitation, mailing, delivery, problem]);
  return rows;
}

export async function countUnsent(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ n: number }[]>(COUNT);
  return row?.n ?? 0;
}

export async function claimMails(sql: Sql, limit: number): Promise<InvitationMail[]> {
  const [mails] = await sql.query<[InvitationMail[], number]>(CLAIM(limit));
  return mails;
}
