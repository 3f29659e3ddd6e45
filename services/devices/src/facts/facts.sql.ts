import { USAGE, type DeviceFacts } from '@warren/rules/facts';
import type { EntityManager } from 'typeorm';
import type { CheckedFacts } from './facts.ts';
import { COMPARED } from './compared.columns.ts';
import { FORMER_OF_DEVICES, FORMER_USAGE } from './former.columns.ts';

/** The validated report of one device. */
export interface Checked {
  deviceId: string;
  facts: CheckedFacts;
  /** Empty if unknown. */
  publicIp: string;
  /** The hardware's serial; empty if not reported or known already. */
  serial: string;
}

/** Columns of `devices` that facts fill, with their types. */
const TYPES = {
  name: 'text',
  private_ip: 'text',
  public_ip: 'text',
  agent_version: 'text',
  ...FORMER_OF_DEVICES,
};

/** Values of these columns; `public_ip` only if known. */
export function columnsOf(facts: CheckedFacts, publicIp: string): Record<string, string | number> {
  const former = Object.keys(FORMER_OF_DEVICES) as (keyof typeof FORMER_OF_DEVICES)[];
  return {
    name: facts.hostname,
    private_ip: facts.private_ip,
    agent_version: facts.agent_version,
    ...Object.fromEntries(former.map((name) => [name, facts[name]])),
    ...(publicIp ? { public_ip: publicIp } : {}),
  };
}

/** The facts without columns. */
function withoutColumns(facts: CheckedFacts): DeviceFacts {
  const { hostname: _hostname, private_ip: _privateIp, agent_version: _version, ...others } = facts;
  return others;
}

/** A device before its report is written. */
export interface ReportedRow {
  id: string;
  account_id: string;
  name: string;
  custom_name: string;
  agent_version: string;
}

/** Locks the devices' rows against deletion, sorted by id, like all locks of several devices, to avoid deadlocks. */
export function lockReported(manager: EntityManager, ids: string[]): Promise<ReportedRow[]> {
  return manager.query(
    `SELECT id, account_id, name, custom_name, agent_version FROM devices
     WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
}

const NAMES = Object.keys(TYPES);
const DECLARED = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);
const VALUES = NAMES.map((name) => (name === 'public_ip' ? 'COALESCE(r.public_ip, d.public_ip)' : `r.${name}`));
const UPDATE_DIFFERENT = `
  UPDATE devices d SET (${NAMES.join()}) = ROW (${VALUES.join()})
  FROM jsonb_to_recordset($1) AS r (id uuid, ${DECLARED.join()})
  WHERE d.id = r.id AND (${NAMES.map((name) => `d.${name}`).join()}) IS DISTINCT FROM (${VALUES.join()})
  RETURNING d.id`;

/** Writes the columns of `devices`. @returns the ids of the changed ones */
export async function updateDifferent(manager: EntityManager, reports: readonly Checked[]): Promise<Set<string>> {
  const rows = reports.map(({ deviceId, facts, publicIp }) => ({ id: deviceId, ...columnsOf(facts, publicIp) }));
  const [changed] = await manager.query<[{ id: string }[], number]>(UPDATE_DIFFERENT, [JSON.stringify(rows)]);
  return new Set(changed.map(({ id }) => id));
}

/**
 * Stores the serial of hardware that was admitted while the device's was uncertain.
 * @returns the ids of devices whose serial is certain now
 */
export async function confirmSerials(manager: EntityManager, reports: readonly Checked[]): Promise<Set<string>> {
  const rows = reports.flatMap(({ deviceId: id, serial }) => (serial ? [{ id, serial }] : []));
  if (rows.length === 0) return new Set();
  const [confirmed] = await manager.query<[{ id: string }[], number]>(
    `UPDATE devices d SET serial = r.serial, serial_confirmed = true
     FROM jsonb_to_recordset($1) AS r (id uuid, serial text)
     WHERE d.id = r.id AND NOT d.serial_confirmed RETURNING d.id`,
    [JSON.stringify(rows)],
  );
  return new Set(confirmed.map(({ id }) => id));
}

const BESIDE = { ...FORMER_USAGE, ...COMPARED };
const BESIDE_NAMES = Object.keys(BESIDE);
const BESIDE_DECLARED = Object.entries(BESIDE).map(([name, type]) => `${name} ${type}`);
const KEPT = ['facts', 'facts_at', 'reported', ...BESIDE_NAMES];
const WRITE_FACTS = `
  WITH told AS MATERIALIZED (SELECT r.id, r.facts FROM jsonb_to_recordset($1) AS r (id uuid, facts jsonb)),
  kept AS (
    INSERT INTO device_facts (device_id, ${KEPT.join()})
    SELECT told.id, told.facts, now(), now(), ${BESIDE_NAMES.map((name) => `beside.${name}`).join()}
    FROM told, jsonb_to_record(told.facts) AS beside (${BESIDE_DECLARED.join()})
    ON CONFLICT (device_id) DO UPDATE SET (${KEPT.join()}) = ROW (${KEPT.map((name) => `excluded.${name}`).join()})
  )
  SELECT told.id FROM told WHERE told.facts - $2::text[] IS DISTINCT FROM (
    SELECT before.facts - $2::text[] FROM device_facts before WHERE before.device_id = told.id
  )`;

/**
 * Writes the latest facts without columns.
 * @returns the ids of devices with changed facts other than those of {@link USAGE}
 */
export async function writeFacts(
  manager: EntityManager,
  reports: readonly Pick<Checked, 'deviceId' | 'facts'>[],
): Promise<Set<string>> {
  const rows = reports.map(({ deviceId, facts }) => ({ id: deviceId, facts: withoutColumns(facts) }));
  const changed = await manager.query<{ id: string }[]>(WRITE_FACTS, [JSON.stringify(rows), USAGE]);
  return new Set(changed.map(({ id }) => id));
}
