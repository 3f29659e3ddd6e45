import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { ChangedAlert } from './alerts.rows.ts';

/** Named in a row of `alert_changes`. */
const MOST_IDS = 50;
const MOST_EXAMPLES = 10;

/**
 * Writes what notifications are made of, in the transaction that opens or closes alerts: a row for each rule. Silenced alerts are left out.
 */
export async function writeChanges(
  manager: EntityManager,
  kind: 'opened' | 'closed',
  alerts: readonly ChangedAlert[],
): Promise<void> {
  const told = alerts.filter(({ silenced }) => !silenced);
  if (told.length === 0) return;
  const rows = [...Map.groupBy(told, ({ rule_id: rule }) => rule).values()].flatMap((group) => {
    const [first] = group;
    return first ? [{ ...rowOf(group, first), kind }] : [];
  });
  await manager.query(
    `INSERT INTO alert_changes (id, account_id, rule_id, kind, alert_ids, count, severity, rule_name, examples)
     SELECT r.id, r.account_id, r.rule_id, r.kind, r.alert_ids, r.count, r.severity, r.rule_name, r.examples
     FROM jsonb_to_recordset($1) AS r (id uuid, account_id uuid, rule_id uuid, kind text, alert_ids uuid[], count integer,
       severity text, rule_name text, examples jsonb)`,
    [JSON.stringify(rows)],
  );
}

function rowOf(group: readonly ChangedAlert[], { account_id, rule_id, rule_name, severity }: ChangedAlert) {
  return {
    id: uuidv7(),
    account_id,
    rule_id,
    rule_name,
    severity,
    count: group.length,
    alert_ids: group.slice(0, MOST_IDS).map(({ id }) => id),
    examples: group.slice(0, MOST_EXAMPLES).map((alert) => ({
      alertId: alert.id,
      deviceId: alert.device_id,
      deviceName: alert.device_name,
      detail: alert.detail,
    })),
  };
}
