import type { Sql } from '@warren/platform/database/sql';
import type { AlertSeverity } from '@warren/rules/alerts';
import type { EntityManager } from 'typeorm';
import type { AlertRow } from './alerts.rows.ts';

/** Which alerts; what is undefined selects none out. */
export interface AlertFilter {
  accountId: string | undefined;
  state: 'open' | 'closed' | undefined;
  acknowledged: boolean | undefined;
  severity: AlertSeverity | undefined;
  ruleId: string | undefined;
  deviceId: string | undefined;
  /** If set, only of these. */
  deviceIds?: readonly string[] | undefined;
}

/** An alert with the name of its account. */
export interface ListedAlert extends AlertRow {
  account_name: string;
}

const MOST_COUNTED = 10_000;

function whereOf(filter: AlertFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const terms = ['true'];
  const add = (term: (parameter: string) => string, value: unknown) => {
    if (value !== undefined) terms.push(term(`$${values.push(value)}`));
  };
  add((parameter) => `o.account_id = ${parameter}`, filter.accountId);
  add((parameter) => `o.severity = ${parameter}`, filter.severity);
  add((parameter) => `o.rule_id = ${parameter}`, filter.ruleId);
  add((parameter) => `o.device_id = ${parameter}`, filter.deviceId);
  add((parameter) => `o.device_id = ANY(${parameter}::uuid[])`, filter.deviceIds);
  add((parameter) => `(o.acknowledged_at IS NOT NULL) = ${parameter}`, filter.acknowledged);
  // Written out, for the index of open alerts.
  if (filter.state !== undefined) terms.push(filter.state === 'open' ? `o.state = 'open'` : `o.state = 'closed'`);
  return { where: terms.join(' AND '), values };
}

/** Lists alerts, newest first. @param before the id of an alert; those that opened before it */
export async function listAlerts(
  sql: Sql,
  filter: AlertFilter,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<{ alerts: ListedAlert[]; total: number }> {
  const { where, values } = whereOf(filter);
  const [counted] = await sql.query<{ n: number }[]>(
    `SELECT count(*)::int AS n FROM (SELECT FROM alerts o WHERE ${where} LIMIT ${MOST_COUNTED}) counted`,
    values,
  );
  const older =
    before === undefined
      ? ''
      : `AND (o.opened_at, o.id) < (SELECT b.opened_at, b.id FROM alerts b WHERE b.id = $${values.push(before)})`;
  const alerts = await sql.query<ListedAlert[]>(
    `SELECT o.id, o.account_id, o.rule_id, o.rule_name, o.kind, o.severity, o.device_id, o.device_name, o.detail, o.value, o.state,
       o.opened_at, o.closed_at, o.acknowledged_at, o.acknowledged_by, o.note, o.silenced, COALESCE(a.name, '') AS account_name
     FROM alerts o LEFT JOIN alert_accounts a ON a.id = o.account_id
     WHERE ${where} ${older} ORDER BY o.opened_at DESC, o.id DESC LIMIT ${limit}`,
    values,
  );
  return { alerts, total: counted?.n ?? 0 };
}

/** Numbers of open alerts. */
export interface AlertCounts {
  critical: number;
  warning: number;
  info: number;
  unacknowledged: number;
}

const MOST_DEVICES = 20_000;

/** Reads the devices with such alerts, those with the newest first, at most 20,000. */
export async function readDevicesOf(sql: Sql, filter: AlertFilter): Promise<string[]> {
  const { where, values } = whereOf(filter);
  const rows = await sql.query<{ id: string }[]>(
    `SELECT o.device_id AS id FROM alerts o WHERE ${where} GROUP BY o.device_id ORDER BY max(o.opened_at) DESC LIMIT ${MOST_DEVICES}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** Counts open alerts of an account, or (without one) of all. @param deviceIds if set, only of these devices */
export async function countOpen(
  sql: Sql,
  accountId: string | undefined,
  deviceIds?: readonly string[],
): Promise<AlertCounts> {
  const of = (severity: AlertSeverity) => `(count(*) FILTER (WHERE severity = '${severity}'))::int AS ${severity}`;
  const [row] = await sql.query<AlertCounts[]>(
    `SELECT ${of('critical')}, ${of('warning')}, ${of('info')},
       (count(*) FILTER (WHERE acknowledged_at IS NULL))::int AS unacknowledged
     FROM alerts WHERE state = 'open' AND ($1::uuid IS NULL OR account_id = $1) AND ($2::uuid[] IS NULL OR device_id = ANY($2))`,
    [accountId ?? null, deviceIds ?? null],
  );
  return row ?? { critical: 0, warning: 0, info: 0, unacknowledged: 0 };
}

/** What the audit trail says of an acknowledged alert. */
export type AcknowledgedAlert = Pick<AlertRow, 'id' | 'account_id' | 'rule_name' | 'device_id' | 'device_name'>;

/** Acknowledges those of the alerts that are open and not acknowledged, of an account or (without one) of all. */
export async function acknowledgeOpen(
  manager: EntityManager,
  ids: readonly string[],
  { accountId, by, note }: { accountId: string | undefined; by: string; note: string },
): Promise<AcknowledgedAlert[]> {
  const [rows] = await manager.query<[AcknowledgedAlert[], number]>(
    `UPDATE alerts o SET acknowledged_at = now(), acknowledged_by = $3, note = $4
     WHERE o.id = ANY(SELECT id FROM alerts WHERE id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR account_id = $2)
       AND state = 'open' AND acknowledged_at IS NULL ORDER BY id FOR UPDATE)
     RETURNING o.id, o.account_id, o.rule_name, o.device_id, o.device_name`,
    [ids, accountId ?? null, by, note],
  );
  return rows;
}
