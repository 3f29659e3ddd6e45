import type { Sql } from '@warren/platform/database/sql';
import type { DefaultAlertRule } from '@warren/rules/alerts';
import type { EntityManager } from 'typeorm';
import type { AlertRuleEntity } from './rule.entity.ts';

export type RuleKey = Pick<AlertRuleEntity, 'id' | 'accountId'>;

/** A rule with what the list shows besides. */
export interface ListedRule extends AlertRuleEntity {
  accountName: string;
  openAlerts: number;
}

const COLUMNS = `r.id, r.account_id AS "accountId", r.name, r.kind, r.filter, r.condition, r.minutes, r.days, r.times, r.severity, r.enabled,
  r.preset, r.revision, r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const selectListed = (counted: string) => `
  SELECT ${COLUMNS}, COALESCE(a.name, '') AS "accountName",
    (SELECT count(*)::int FROM alerts o WHERE o.rule_id = r.id AND o.state = 'open' AND ${counted}) AS "openAlerts"
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
export async function readRule(sql: Sql, { id, accountId }: RuleKey): Promise<ListedRule | undefined> {
  const [row] = await sql.query<ListedRule[]>(`${selectListed('true')} WHERE r.id = $1 AND r.account_id = $2`, [
    id,
    accountId,
  ]);
  return row;
}

/** Locks the rules of an account against additions and other filters. */
export async function lockRules(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('alert_rules'), hashtext($1))`, [accountId]);
}

/** Forgets since when the condition of a rule held, and names its open alerts as the rule is now. */
export async function renewAlerts(
  manager: EntityManager,
  { id, accountId }: RuleKey,
  { name, severity }: Pick<AlertRuleEntity, 'name' | 'severity'>,
): Promise<void> {
  await manager.query('DELETE FROM alert_holds WHERE rule_id = $1', [id]);
  await manager.query(
    `UPDATE alerts SET rule_name = $3, severity = $4
     WHERE rule_id = $1 AND account_id = $2 AND state = 'open' AND (rule_name, severity) <> ($3, $4)`,
    [id, accountId, name, severity],
  );
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
export function readEnabledRules(sql: Sql): Promise<AlertRuleEntity[]> {
  return sql.query(`SELECT ${COLUMNS} FROM alert_rules r WHERE r.enabled`);
}
