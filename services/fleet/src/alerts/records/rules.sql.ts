import type { Sql } from '@warren/platform/database/sql';
import type { AlertKind, AlertRuleContent, AlertSeverity, DefaultAlertRule } from '@warren/rules/alerts';
import type { EntityManager } from 'typeorm';

/** A row of `alert_rules`. */
export interface RuleRow {
  id: string;
  account_id: string;
  name: string;
  kind: AlertKind;
  filter: string;
  condition: string;
  minutes: number;
  days: number;
  times: number;
  severity: AlertSeverity;
  enabled: boolean;
  preset: string | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

/** A rule with what the list shows besides. */
export interface ListedRule extends RuleRow {
  account_name: string;
  open_alerts: number;
}

const COLUMNS = `r.id, r.account_id, r.name, r.kind, r.filter, r.condition, r.minutes, r.days, r.times, r.severity, r.enabled, r.preset,
  r.revision, r.created_at, r.updated_at`;

const selectListed = (counted: string) => `
  SELECT ${COLUMNS}, COALESCE(a.name, '') AS account_name,
    (SELECT count(*)::int FROM alerts o WHERE o.rule_id = r.id AND o.state = 'open' AND ${counted}) AS open_alerts
  FROM alert_rules r LEFT JOIN alert_accounts a ON a.id = r.account_id`;

/**
 * Lists rules of an account, or (without one) of all, oldest first.
 * @param deviceIds if set, only alerts of these devices are counted
 */
export function listRules(
  sql: Sql,
  {
    accountId,
    deviceIds,
    limit,
  }: { accountId: string | undefined; deviceIds?: readonly string[] | undefined; limit: number },
) {
  return sql.query<ListedRule[]>(
    `${selectListed('($2::uuid[] IS NULL OR o.device_id = ANY($2))')} WHERE ($1::uuid IS NULL OR r.account_id = $1)
     ORDER BY a.name, r.account_id, r.created_at, r.id LIMIT ${limit}`,
    [accountId ?? null, deviceIds ?? null],
  );
}

/** Reads a rule of an account. */
export async function readRule(
  sql: Sql,
  { id, account_id: accountId }: Pick<RuleRow, 'id' | 'account_id'>,
): Promise<ListedRule | undefined> {
  const [row] = await sql.query<ListedRule[]>(`${selectListed('true')} WHERE r.id = $1 AND r.account_id = $2`, [
    id,
    accountId,
  ]);
  return row;
}

/** Locks a rule of an account, or (without one) of any, until the transaction ends. */
export async function lockRule(
  manager: EntityManager,
  id: string,
  accountId: string | undefined,
): Promise<RuleRow | undefined> {
  const [row] = await manager.query<RuleRow[]>(
    `SELECT ${COLUMNS} FROM alert_rules r WHERE r.id = $1 AND ($2::uuid IS NULL OR r.account_id = $2) FOR UPDATE`,
    [id, accountId ?? null],
  );
  return row;
}

/** Locks the rules of an account against additions and other filters. */
export async function lockRules(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('alert_rules'), hashtext($1))`, [accountId]);
}

/** Locks the rules of an account against additions, and counts them. */
export async function countRules(manager: EntityManager, accountId: string): Promise<number> {
  await lockRules(manager, accountId);
  const [row] = await manager.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM alert_rules WHERE account_id = $1',
    [accountId],
  );
  return row?.n ?? 0;
}

export async function insertRule(
  manager: EntityManager,
  { id, account_id: accountId }: Pick<RuleRow, 'id' | 'account_id'>,
  rule: AlertRuleContent,
): Promise<void> {
  await manager.query(
    `INSERT INTO alert_rules (id, account_id, name, kind, filter, condition, minutes, days, times, severity, enabled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [id, accountId, ...contentOf(rule)],
  );
}

/** Replaces what a person sets of a rule, and forgets since when its condition held. */
export async function updateRule(
  manager: EntityManager,
  { id, account_id: accountId }: Pick<RuleRow, 'id' | 'account_id'>,
  rule: AlertRuleContent,
): Promise<void> {
  await manager.query(
    `UPDATE alert_rules SET name = $3, kind = $4, filter = $5, condition = $6, minutes = $7, days = $8, times = $9, severity = $10,
       enabled = $11, revision = revision + 1, updated_at = now()
     WHERE id = $1 AND account_id = $2`,
    [id, accountId, ...contentOf(rule)],
  );
  await manager.query('DELETE FROM alert_holds WHERE rule_id = $1', [id]);
  await manager.query(
    `UPDATE alerts SET rule_name = $3, severity = $4
     WHERE rule_id = $1 AND account_id = $2 AND state = 'open' AND (rule_name, severity) <> ($3, $4)`,
    [id, accountId, rule.name, rule.severity],
  );
}

export async function deleteRule(
  manager: EntityManager,
  { id, account_id: accountId }: Pick<RuleRow, 'id' | 'account_id'>,
): Promise<void> {
  await manager.query('DELETE FROM alert_rules WHERE id = $1 AND account_id = $2', [id, accountId]);
}

function contentOf(rule: AlertRuleContent): unknown[] {
  const { name, kind, filter, condition, minutes, days, times, severity, enabled } = rule;
  return [name, kind, filter, condition, minutes, days, times, severity, enabled];
}

/** Gives accounts the default rules that they have not got. */
export async function insertDefaults(
  sql: Sql,
  accountIds: readonly string[],
  rules: readonly DefaultAlertRule[],
): Promise<void> {
  await sql.query(
    `INSERT INTO alert_rules (id, account_id, name, kind, filter, condition, minutes, days, times, severity, enabled, preset, created_at)
     SELECT gen_random_uuid(), a.id, p.name, p.kind, p.filter, p.condition, p.minutes, p.days, p.times, p.severity, p.enabled, p.preset,
       now() + place * interval '1 microsecond'
     FROM unnest($1::uuid[]) AS a (id), ROWS FROM (jsonb_to_recordset($2) AS (preset text, name text, kind text, filter text,
       condition text, minutes integer, days integer, times integer, severity text, enabled boolean)) WITH ORDINALITY
       AS p (preset, name, kind, filter, condition, minutes, days, times, severity, enabled, place)
     WHERE NOT EXISTS (SELECT FROM alert_rules r WHERE r.account_id = a.id AND r.preset = p.preset)
     ON CONFLICT (account_id, preset) DO NOTHING`,
    [accountIds, JSON.stringify(rules)],
  );
}

/** Reads all rules that are enabled. */
export function readEnabledRules(sql: Sql): Promise<RuleRow[]> {
  return sql.query(`SELECT ${COLUMNS} FROM alert_rules r WHERE r.enabled`);
}
