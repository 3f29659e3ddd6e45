import type { AlertSeverity } from '@warren/rules/alerts';
import type { EntityManager } from 'typeorm';
import type { ChannelEntity } from '../channels/channel.entity.ts';
import type { Example, Group } from '../formats/content.ts';

/** A row of `alert_changes`. */
export interface AlertChange {
  id: string;
  account_id: string;
  rule_id: string;
  kind: Group['kind'];
  alert_ids: string[];
  count: number;
  severity: AlertSeverity;
  rule_name: string;
  examples: Example[];
  created_at: Date;
}

/** A row of `notification_changes`: what waits to become a message. */
export interface Pending extends Omit<AlertChange, 'account_id'> {
  channel_id: string;
  /** Rows of one slot are merged. */
  slot: Date;
  due_at: Date;
  /** Why it waits longer: until the end of quiet hours, or of the hourly limit. A summary follows. */
  held: 'quiet' | 'limit' | null;
}

/** What the collector goes by of a channel. */
export type Receiver = Pick<
  ChannelEntity,
  'id' | 'accountId' | 'minSeverity' | 'quiet' | 'afterMinutes' | 'recovery' | 'enabled'
>;

const RECEIVER = `id, account_id AS "accountId", min_severity AS "minSeverity", quiet, after_minutes AS "afterMinutes", recovery, enabled`;

/** How long changes are joined at most after the first one: what still grows then comes as another message. */
export const MOST_GROUP_S = 120;

/** Any number, the same in all replicas. */
const COLLECTOR = 5_703_206;

/** Whether no other replica collects; then none does until the transaction ends. */
export async function becomeCollector(manager: EntityManager): Promise<boolean> {
  const [row] = await manager.query<{ locked: boolean }[]>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
    COLLECTOR,
  ]);
  return row?.locked === true;
}

/** Takes changes of alerts, oldest first. */
export async function takeChanges(manager: EntityManager, limit: number): Promise<AlertChange[]> {
  const [rows] = await manager.query<[AlertChange[], number]>(
    `UPDATE alert_changes SET taken_at = now() WHERE id IN (
       SELECT id FROM alert_changes WHERE taken_at IS NULL ORDER BY created_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id, account_id, rule_id, kind, alert_ids, count, severity, rule_name, examples, created_at`,
    [limit],
  );
  return rows.toSorted((one, other) => one.created_at.getTime() - other.created_at.getTime());
}

/** The enabled channels of accounts. */
export function receiversOf(manager: EntityManager, accountIds: readonly string[]): Promise<Receiver[]> {
  return manager.query(`SELECT ${RECEIVER} FROM notification_channels WHERE account_id = ANY($1::uuid[]) AND enabled`, [
    accountIds,
  ]);
}

/** Locks a channel until the transaction ends, so that nobody changes it meanwhile. */
export async function lockReceiver(manager: EntityManager, id: string): Promise<Receiver | undefined> {
  const [row] = await manager.query<Receiver[]>(
    `SELECT ${RECEIVER} FROM notification_channels WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return row;
}

/**
 * Adds what waits, merged with what waits in the same slot: at most 50 ids and 10 examples. A group that grows waits longer, unless it
 * waits for something else already.
 */
export async function addPending(manager: EntityManager, rows: readonly Pending[]): Promise<void> {
  if (rows.length === 0) return;
  await manager.query(
    `INSERT INTO notification_changes AS n
       (id, channel_id, rule_id, kind, slot, rule_name, severity, count, alert_ids, examples, created_at, due_at)
     SELECT id, channel_id, rule_id, kind, slot, rule_name, severity, count, alert_ids, examples, created_at, due_at
     FROM jsonb_to_recordset($1::jsonb) AS r (id uuid, channel_id uuid, rule_id uuid, kind text, slot timestamptz, rule_name text,
       severity text, count integer, alert_ids uuid[], examples jsonb, created_at timestamptz, due_at timestamptz)
     ON CONFLICT (channel_id, rule_id, kind, slot) DO UPDATE SET
       count = n.count + excluded.count,
       rule_name = excluded.rule_name,
       severity = excluded.severity,
       due_at = CASE WHEN n.held IS NULL
         THEN GREATEST(n.due_at, LEAST(excluded.due_at, n.created_at + interval '${MOST_GROUP_S} seconds')) ELSE n.due_at END,
       alert_ids = (n.alert_ids || excluded.alert_ids)[1:50],
       examples = jsonb_path_query_array(n.examples || excluded.examples, '$[0 to 9]')`,
    [JSON.stringify(rows)],
  );
}

/** Channels for which something is due, in the order in which it became so. */
export async function dueChannels(manager: EntityManager, now: Date, limit: number): Promise<string[]> {
  const rows = await manager.query<{ channel_id: string }[]>(
    `SELECT channel_id FROM notification_changes WHERE due_at <= $1 GROUP BY channel_id ORDER BY min(due_at) LIMIT $2`,
    [now, limit],
  );
  return rows.map((row) => row.channel_id);
}

/** What is due for a channel, oldest first. */
export function duePending(manager: EntityManager, channelId: string, now: Date, limit: number): Promise<Pending[]> {
  return manager.query(
    `SELECT id, channel_id, rule_id, kind, slot, rule_name, severity, count, alert_ids, examples, created_at, due_at, held
     FROM notification_changes WHERE channel_id = $1 AND due_at <= $2 ORDER BY created_at, id LIMIT $3`,
    [channelId, now, limit],
  );
}

/**
 * With escalation: until when rules with due alerts wait for those that opened in the minutes after, which are not due yet. An outage
 * grows over some passes.
 */
export async function growingRules(manager: EntityManager, channelId: string, now: Date): Promise<Map<string, Date>> {
  const rows = await manager.query<{ rule_id: string; until: Date }[]>(
    `SELECT later.rule_id, max(later.due_at) AS until FROM notification_changes later JOIN (
       SELECT rule_id, min(slot) AS slot FROM notification_changes
       WHERE channel_id = $1 AND kind = 'opened' AND held IS NULL AND due_at <= $2 GROUP BY rule_id) due ON due.rule_id = later.rule_id
     WHERE later.channel_id = $1 AND later.kind = 'opened' AND later.held IS NULL AND later.due_at > $2
       AND later.slot <= due.slot + interval '${MOST_GROUP_S} seconds' GROUP BY later.rule_id`,
    [channelId, now],
  );
  return new Map(rows.map(({ rule_id, until }) => [rule_id, until]));
}

/** Lets rows wait longer. */
export async function postpone(
  manager: EntityManager,
  rows: readonly Pending[],
  until: Date,
  held: Pending['held'],
): Promise<void> {
  if (rows.length === 0) return;
  await manager.query(
    'UPDATE notification_changes SET due_at = $2, held = coalesce($3, held) WHERE id = ANY($1::uuid[])',
    [rows.map(({ id }) => id), until, held],
  );
}

/** Lets all that is due for a channel wait longer. */
export async function postponeAll(manager: EntityManager, channelId: string, until: Date): Promise<void> {
  await manager.query('UPDATE notification_changes SET due_at = $2 WHERE channel_id = $1 AND due_at < $2', [
    channelId,
    until,
  ]);
}

export async function removePending(manager: EntityManager, rows: readonly Pending[]): Promise<void> {
  if (rows.length === 0) return;
  await manager.query('DELETE FROM notification_changes WHERE id = ANY($1::uuid[])', [rows.map(({ id }) => id)]);
}

/** Which alerts of an account are open, unacknowledged and not silenced; of a rule with more alerts than were named, how many. */
export async function stillOpen(
  manager: EntityManager,
  accountId: string,
  { rule_id, alert_ids, count, created_at }: Pending,
): Promise<{ ids: Set<string>; count: number }> {
  const OPEN = `account_id = $1 AND state = 'open' AND acknowledged_at IS NULL AND NOT silenced`;
  const rows = await manager.query<{ id: string }[]>(`SELECT id FROM alerts WHERE ${OPEN} AND id = ANY($2::uuid[])`, [
    accountId,
    alert_ids,
  ]);
  const ids = new Set(rows.map(({ id }) => id));
  if (count <= alert_ids.length) return { ids, count: ids.size };
  const [all] = await manager.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM alerts WHERE ${OPEN} AND rule_id = $2 AND opened_at <= $3::timestamptz + interval '1 minute'`,
    [accountId, rule_id, created_at],
  );
  return { ids, count: Math.min(count, all?.n ?? 0) };
}

/** Which closed alerts of an account were open and unacknowledged for so long that a channel with escalation was notified. */
export async function escalatedOf(
  manager: EntityManager,
  accountId: string,
  alertIds: readonly string[],
  minutes: number,
): Promise<Set<string>> {
  const rows = await manager.query<{ id: string }[]>(
    `SELECT id FROM alerts WHERE account_id = $1 AND id = ANY($2::uuid[]) AND closed_at >= opened_at + make_interval(mins => $3)
       AND (acknowledged_at IS NULL OR acknowledged_at >= opened_at + make_interval(mins => $3))`,
    [accountId, alertIds, minutes],
  );
  return new Set(rows.map(({ id }) => id));
}

/** When a channel last got a message of each of these rules. */
export async function lastMessages(
  manager: EntityManager,
  channelId: string,
  ruleIds: readonly string[],
  since: Date,
): Promise<Map<string, Date>> {
  const rows = await manager.query<{ rule_id: string; at: Date }[]>(
    `SELECT rule_id, max(created_at) AS at FROM notifications
     WHERE channel_id = $1 AND rule_id = ANY($2::uuid[]) AND created_at > $3 GROUP BY rule_id`,
    [channelId, ruleIds, since],
  );
  return new Map(rows.map(({ rule_id, at }) => [rule_id, at]));
}

/** How many messages an account has got since a moment, those of deleted channels too, and when the first of them was. */
export async function messagesSince(
  manager: EntityManager,
  accountId: string,
  since: Date,
): Promise<{ count: number; first: Date | null }> {
  const [row] = await manager.query<{ count: number; first: Date | null }[]>(
    `SELECT count(*)::int + COALESCE((SELECT u.count FROM notification_uses u
       WHERE u.account_id = $1 AND u.what = 'deleted' AND u.hour = date_trunc('hour', now())), 0) AS count, min(created_at) AS first
     FROM notifications WHERE account_id = $1 AND created_at > $2`,
    [accountId, since],
  );
  return row ?? { count: 0, first: null };
}
