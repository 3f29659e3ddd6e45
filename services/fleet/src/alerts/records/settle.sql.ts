import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { AlertRuleEntity } from './rule.entity.ts';
import type { RuleKey } from './rules.sql.ts';
import type { ChangedAlert } from './alerts.rows.ts';

const CHANGED = 'id, account_id, rule_id, rule_name, severity, device_id, device_name, detail, silenced';

/** What is known of the devices of a rule. */
export interface RuleState {
  /** Open alerts, by device. */
  open: ReadonlyMap<string, string>;
  /** Since when the condition holds of devices without an alert. */
  held: ReadonlyMap<string, Date>;
}

/** What is known of the devices of rules, by rule. */
export async function readStates(sql: Sql, ruleIds: readonly string[]): Promise<Map<string, RuleState>> {
  const open = await sql.query<{ rule_id: string; device_id: string; id: string }[]>(
    `SELECT rule_id, device_id, id FROM alerts WHERE state = 'open' AND rule_id = ANY($1::uuid[])`,
    [ruleIds],
  );
  const held = await sql.query<{ rule_id: string; device_id: string; since: Date }[]>(
    'SELECT rule_id, device_id, since FROM alert_holds WHERE rule_id = ANY($1::uuid[])',
    [ruleIds],
  );
  const states = new Map(ruleIds.map((id) => [id, { open: new Map<string, string>(), held: new Map<string, Date>() }]));
  for (const row of open) states.get(row.rule_id)?.open.set(row.device_id, row.id);
  for (const row of held) states.get(row.rule_id)?.held.set(row.device_id, row.since);
  return states;
}

/** Keeps a rule as it was read until the transaction ends. @returns false if it is another one now */
export async function holdsStill(manager: EntityManager, rule: AlertRuleEntity): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    'SELECT FROM alert_rules WHERE id = $1 AND account_id = $2 AND revision = $3 AND enabled FOR SHARE',
    [rule.id, rule.accountId, rule.revision],
  );
  return rows.length > 0;
}

/** Remembers since when the condition of a rule holds, and forgets it of others. */
export async function writeHolds(
  manager: EntityManager,
  ruleId: string,
  { hold, release, now }: { hold: readonly string[]; release: readonly string[]; now: Date },
): Promise<void> {
  if (release.length > 0)
    await manager.query('DELETE FROM alert_holds WHERE rule_id = $1 AND device_id = ANY($2::uuid[])', [
      ruleId,
      release,
    ]);
  if (hold.length > 0)
    await manager.query(
      `INSERT INTO alert_holds (rule_id, device_id, since) SELECT $1, device, $3 FROM unnest($2::uuid[]) AS device
       ON CONFLICT DO NOTHING`,
      [ruleId, hold, now],
    );
}

/** A device for which an alert opens. */
export interface Opening {
  deviceId: string;
  name: string;
  detail: string;
  value: number | undefined;
  silenced: boolean;
}

/** Opens alerts of a rule, for the devices that have none. @returns the new ones */
export async function openAlerts(
  manager: EntityManager,
  rule: AlertRuleEntity,
  { openings, now }: { openings: readonly Opening[]; now: Date },
): Promise<ChangedAlert[]> {
  if (openings.length === 0) return [];
  const rows = openings.map((opening) => ({ id: uuidv7(), ...opening }));
  return manager.query<ChangedAlert[]>(
    `INSERT INTO alerts (id, account_id, rule_id, rule_name, kind, severity, opened_at, device_id, device_name, detail, value, silenced)
     SELECT o.id, $1, $2, $3, $4, $5, $6, o."deviceId", o.name, o.detail, o.value, o.silenced
     FROM jsonb_to_recordset($7) AS o (id uuid, "deviceId" uuid, name text, detail text, value float8, silenced boolean)
     ON CONFLICT (rule_id, device_id) WHERE state = 'open' DO NOTHING
     RETURNING ${CHANGED}`,
    [rule.accountId, rule.id, rule.name, rule.kind, rule.severity, now, JSON.stringify(rows)],
  );
}

/** Closes alerts of a rule; all that are open without ids. @returns those that were open */
export async function closeAlerts(
  manager: EntityManager,
  rule: RuleKey,
  { ids, now }: { ids?: readonly string[]; now: Date },
): Promise<ChangedAlert[]> {
  if (ids?.length === 0) return [];
  const [rows] = await manager.query<[ChangedAlert[], number]>(
    `UPDATE alerts SET state = 'closed', closed_at = GREATEST($4, opened_at)
     WHERE rule_id = $1 AND account_id = $2 AND state = 'open' AND ($3::uuid[] IS NULL OR id = ANY($3))
     RETURNING ${CHANGED}`,
    [rule.id, rule.accountId, ids ?? null, now],
  );
  return rows;
}
