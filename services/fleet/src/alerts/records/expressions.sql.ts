import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** The enabled rules over metrics of each account, and a text that changes with any of them. */
const RULES = `
  SELECT account_id, string_agg(id::text || revision, ' ' ORDER BY id) AS rules FROM alert_rules
  WHERE kind = 'metric' AND enabled GROUP BY account_id`;

/** A device whose expressions are to be evaluated. */
export interface DueDevice {
  id: string;
  account_id: string;
  /** Its newest sample. */
  sampled_at: Date;
  /** The rules of its account, as {@link readStale} compares them. */
  rules: string;
}

/**
 * Devices that reported since their last evaluation, or whose account changed its rules. The longest unevaluated come first, so that no
 * account delays others by changing its rules.
 */
export function readDueDevices(sql: Sql, { before, limit }: { before: Date; limit: number }): Promise<DueDevice[]> {
  return sql.query<DueDevice[]>(
    `SELECT d.id, d.account_id, d.sampled_at, r.rules FROM devices d JOIN (${RULES}) r USING (account_id)
       LEFT JOIN expression_looks l ON l.device_id = d.id
     WHERE d.sampled_at IS NOT NULL
       AND (l.device_id IS NULL OR l.rules <> r.rules OR (l.looked_at < $1 AND l.sampled_at <> d.sampled_at))
     ORDER BY l.looked_at NULLS FIRST LIMIT ${limit}`,
    [before],
  );
}

/** Accounts with devices that were last evaluated by rules changed since. */
export async function readStale(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ account_id: string }[]>(
    `SELECT DISTINCT r.account_id FROM (${RULES}) r JOIN devices d USING (account_id) JOIN expression_looks l ON l.device_id = d.id
     WHERE l.rules <> r.rules`,
  );
  return rows.map(({ account_id: id }) => id);
}

/** An expression that holds for a device. */
export interface Hit {
  ruleId: string;
  deviceId: string;
  detail: string;
  value: number;
}

/** Replaces the findings of devices. Skips deleted rules and devices. */
export async function writeLooks(
  manager: EntityManager,
  { devices, hits, now }: { devices: readonly DueDevice[]; hits: readonly Hit[]; now: Date },
): Promise<void> {
  const ids = devices.map(({ id }) => id);
  await manager.query(
    `INSERT INTO expression_looks (device_id, looked_at, sampled_at, rules)
     SELECT d.id, $2, l.sampled_at, l.rules FROM jsonb_to_recordset($1) AS l (id uuid, sampled_at timestamptz, rules text)
       JOIN devices d USING (id)
     ON CONFLICT (device_id) DO UPDATE SET looked_at = excluded.looked_at, sampled_at = excluded.sampled_at, rules = excluded.rules`,
    [JSON.stringify(devices), now],
  );
  await manager.query('DELETE FROM expression_hits WHERE device_id = ANY($1::uuid[])', [ids]);
  await manager.query(
    `INSERT INTO expression_hits (rule_id, device_id, detail, value)
     SELECT r.id, l.device_id, h.detail, h.value
     FROM jsonb_to_recordset($1) AS h ("ruleId" uuid, "deviceId" uuid, detail text, value float8)
       JOIN alert_rules r ON r.id = h."ruleId" JOIN expression_looks l ON l.device_id = h."deviceId"`,
    [JSON.stringify(hits)],
  );
}

/** The devices for which the expression of a rule held at their last evaluation. */
export function readHits(sql: Sql, ruleId: string): Promise<{ device_id: string; detail: string; value: number }[]> {
  return sql.query(
    `SELECT h.device_id, h.detail, h.value FROM expression_hits h WHERE h.rule_id = $1 ORDER BY h.device_id`,
    [ruleId],
  );
}

/** Devices of an account that report. */
export async function readReporting(sql: Sql, accountId: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    `SELECT id FROM devices WHERE account_id = $1 AND sampled_at IS NOT NULL ORDER BY id LIMIT ${limit}`,
    [accountId],
  );
  return rows.map(({ id }) => id);
}
