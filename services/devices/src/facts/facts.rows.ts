import type { EntityManager } from 'typeorm';
import type { CheckedFacts } from './facts.ts';

/** What one device says of itself, checked. */
export interface Checked {
  deviceId: string;
  facts: CheckedFacts;
  /** Empty when it is not known. */
  publicIp: string;
  /** Of its hardware; empty when it did not say or that is known already. */
  serial: string;
}

/** Columns of `devices` that facts fill, and their types. */
const TYPES = {
  ...{ name: 'text', private_ip: 'text', public_ip: 'text', cpu_cores: 'integer', total_ram: 'bigint' },
  ...{ total_disk: 'bigint', os: 'text', kernel: 'text', arch: 'text', model: 'text', agent_version: 'text' },
};

/** Values of these columns; `public_ip` only when it is known. */
export function columnsOf(facts: CheckedFacts, publicIp: string): Record<string, string | number> {
  return {
    ...{ name: facts.hostname, private_ip: facts.privateIp, cpu_cores: facts.cpuCores },
    ...{ total_ram: String(facts.totalRam), total_disk: String(facts.totalDisk) },
    ...{ os: facts.os, kernel: facts.kernel, arch: facts.arch, model: facts.model, agent_version: facts.agentVersion },
    ...(publicIp ? { public_ip: publicIp } : {}),
  };
}

/** Holds the devices' rows, so that none is deleted meanwhile: in the order of their ids, as all who lock several do. */
export function lockReported(manager: EntityManager, ids: string[]): Promise<{ id: string; account_id: string }[]> {
  return manager.query('SELECT id, account_id FROM devices WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [
    ids,
  ]);
}

const NAMES = Object.keys(TYPES);
const DECLARED = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);
const VALUES = NAMES.map((name) => (name === 'public_ip' ? 'COALESCE(r.public_ip, d.public_ip)' : `r.${name}`));
const UPDATE_DIFFERENT = `
  UPDATE devices d SET (${NAMES.join()}) = ROW (${VALUES.join()})
  FROM jsonb_to_recordset($1) AS r (id uuid, ${DECLARED.join()})
  WHERE d.id = r.id AND (${NAMES.map((name) => `d.${name}`).join()}) IS DISTINCT FROM (${VALUES.join()})
  RETURNING d.id`;

/** Writes what the devices are. @returns the ids of those for which that is something new */
export async function updateDifferent(manager: EntityManager, reports: readonly Checked[]): Promise<Set<string>> {
  const rows = reports.map(({ deviceId, facts, publicIp }) => ({ id: deviceId, ...columnsOf(facts, publicIp) }));
  const [changed] = await manager.query<[{ id: string }[], number]>(UPDATE_DIFFERENT, [JSON.stringify(rows)]);
  return new Set(changed.map(({ id }) => id));
}

/**
 * Keeps the serial of hardware that was let in while the device's was not known for certain.
 * @returns the ids of devices whose serial is known now
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

/** Keeps the latest use of processor, memory and disk, and how warm it is. */
export async function writeUsage(
  manager: EntityManager,
  reports: readonly Pick<Checked, 'deviceId' | 'facts'>[],
): Promise<void> {
  const rows = reports.map(({ deviceId, facts }) => ({
    ...{ device_id: deviceId, cpu_usage: facts.cpuUsage, used_ram: String(facts.usedRam) },
    ...{ used_disk: String(facts.usedDisk), uptime_seconds: String(facts.uptimeSeconds) },
    ...{ temperature: facts.temperature ?? null, throttled: facts.throttled ?? null },
  }));
  await manager.query(
    `INSERT INTO device_facts AS kept
       (device_id, cpu_usage, used_ram, used_disk, uptime_seconds, temperature, throttled, reported)
     SELECT r.device_id, r.cpu_usage, r.used_ram, r.used_disk, r.uptime_seconds, r.temperature, r.throttled, now()
     FROM jsonb_to_recordset($1) AS r (
       device_id uuid, cpu_usage double precision, used_ram bigint, used_disk bigint, uptime_seconds bigint,
       temperature integer, throttled integer
     )
     ON CONFLICT (device_id) DO UPDATE SET (cpu_usage, used_ram, used_disk, uptime_seconds, temperature, throttled, reported)
       = (excluded.cpu_usage, excluded.used_ram, excluded.used_disk, excluded.uptime_seconds, excluded.temperature,
         excluded.throttled, excluded.reported)`,
    [JSON.stringify(rows)],
  );
}
