import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import type { NotificationEntity, StateName } from './notification.entity.ts';

/** With the name of its channel. */
export type ListedNotification = Omit<NotificationEntity, 'content' | 'leasedUntil'> & { channelName: string };

/** Names the attempt to be made, so that each is in the queue at most once. */
export interface Attempt {
  id: string;
  attempts: number;
}

const COLUMNS = `n.id, n.account_id AS "accountId", n.channel_id AS "channelId", n.rule_id AS "ruleId", n.severity, n.title, n.state, n.attempts,
  n.last_error AS "lastError", n.next_attempt AS "nextAttempt", n.created_at AS "createdAt", n.delivered_at AS "deliveredAt"`;
/** How long an attempt that was queued or begun is another process's. Longer than an attempt takes. */
const LEASE = `interval '2 minutes'`;

export interface ListQuery {
  accountId: string | undefined;
  channelId: string | undefined;
  state: StateName | undefined;
  before: string | undefined;
  limit: number;
}

/** Lists notifications of an account, or of all, newest first. */
export function listNotifications(sql: Sql, query: ListQuery): Promise<ListedNotification[]> {
  return sql.query(
    `SELECT ${COLUMNS}, c.name AS "channelName" FROM notifications n JOIN notification_channels c ON c.id = n.channel_id
     WHERE ($1::uuid IS NULL OR n.account_id = $1) AND ($2::uuid IS NULL OR n.channel_id = $2)
       AND ($3::text IS NULL OR n.state = $3) AND ($4::uuid IS NULL OR n.id < $4)
     ORDER BY n.id DESC LIMIT $5`,
    [query.accountId ?? null, query.channelId ?? null, query.state ?? null, query.before ?? null, query.limit],
  );
}

/** Locks a notification of an account, or of any, with its channel. */
export async function lockNotification(
  manager: EntityManager,
  id: string,
  accountId: string | undefined,
): Promise<(ListedNotification & { enabled: boolean }) | undefined> {
  const [row] = await manager.query<(ListedNotification & { enabled: boolean })[]>(
    `SELECT ${COLUMNS}, c.name AS "channelName", c.enabled FROM notifications n JOIN notification_channels c ON c.id = n.channel_id
     WHERE n.id = $1 AND ($2::uuid IS NULL OR n.account_id = $2) FOR UPDATE OF n`,
    [id, accountId ?? null],
  );
  return row;
}

/** Leases attempts that are due, to be queued. Those that a process took and did not make come again. */
export async function claimDue(sql: Sql, limit: number): Promise<Attempt[]> {
  const [rows] = await sql.query<[Attempt[], number]>(
    `UPDATE notifications SET leased_until = now() + ${LEASE} WHERE id IN (
       SELECT id FROM notifications
       WHERE state = 'waiting' AND next_attempt <= now() AND (leased_until IS NULL OR leased_until < now())
       ORDER BY next_attempt LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id, attempts`,
    [limit],
  );
  return rows;
}

/** Begins an attempt, unless it was made already. */
export async function beginAttempt(sql: Sql, { id, attempts }: Attempt): Promise<NotificationEntity | undefined> {
  const [rows] = await sql.query<[NotificationEntity[], number]>(
    `UPDATE notifications n SET leased_until = now() + ${LEASE}
     WHERE id = $1 AND attempts = $2 AND state = 'waiting'
     RETURNING ${COLUMNS}, n.content, n.leased_until AS "leasedUntil"`,
    [id, attempts],
  );
  return rows[0];
}

/** Notes a failed attempt. @returns how often in a row the channel has said that it exists no more */
export async function noteFailed(
  manager: EntityManager,
  row: NotificationEntity,
  { reason, gone, delayMs, last }: { reason: string; gone: boolean; delayMs: number; last: boolean },
): Promise<number> {
  await manager.query(
    `UPDATE notifications SET state = $4, attempts = attempts + 1, last_error = $3, leased_until = NULL,
       next_attempt = now() + make_interval(secs => $5)
     WHERE id = $1 AND attempts = $2 AND state = 'waiting'`,
    [row.id, row.attempts, reason, last ? 'failed' : 'waiting', delayMs / 1_000],
  );
  const [rows] = await manager.query<[{ gone: number }[], number]>(
    `UPDATE notification_channels SET last_failure = now(), last_error = $3, gone = CASE WHEN $4 THEN gone + 1 ELSE 0 END
     WHERE id = $1 AND account_id = $2 RETURNING gone`,
    [row.channelId, row.accountId, reason, gone],
  );
  return rows[0]?.gone ?? 0;
}

/** How notifications fare. Times are in seconds. */
export interface NotificationCounts {
  waiting: number;
  /** Age of the oldest one that waits. */
  oldest: number;
  /** How long an attempt has been due, or a change of alerts has not been taken. */
  overdue: number;
  /** Of the last day. */
  failed: number;
}

export async function countNotifications(sql: Sql): Promise<NotificationCounts> {
  const [row] = await sql.query<NotificationCounts[]>(
    `SELECT count(*)::int AS waiting,
       coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS oldest,
       greatest(0, extract(epoch FROM now() - least(min(next_attempt),
         (SELECT min(created_at) FROM alert_changes WHERE taken_at IS NULL))))::float8 AS overdue,
       (SELECT count(*)::int FROM notifications WHERE state = 'failed' AND created_at > now() - interval '1 day') AS failed
     FROM notifications WHERE state = 'waiting'`,
  );
  return row ?? { waiting: 0, oldest: 0, overdue: 0, failed: 0 };
}

/** Deletes what is past its retention, some at a time. */
export async function deleteOld(sql: Sql, limit: number): Promise<void> {
  await sql.query(
    `DELETE FROM notifications WHERE id IN (
       SELECT id FROM notifications WHERE created_at < now() - interval '30 days' AND state <> 'waiting' LIMIT $1)`,
    [limit],
  );
  await sql.query(
    `DELETE FROM alert_changes WHERE id IN (
       SELECT id FROM alert_changes WHERE created_at < now() - interval '7 days' AND taken_at IS NOT NULL LIMIT $1)`,
    [limit],
  );
}
