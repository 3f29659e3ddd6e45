import type { EntityManager } from 'typeorm';
import type { MachineEntity } from './machine.entity.ts';

/** A machine that dialled. */
export type Machine = Pick<MachineEntity, 'deviceId' | 'serial' | 'model' | 'publicIp'>;

/** A person's decision that a machine is a separate device. */
export interface DecisionRow {
  decided_by: string;
  /** The device that the machine enrolled as; null before. */
  separated_id: string | null;
  separated_key: Buffer | null;
}

/** Numbers of machines with other devices' keys. */
export interface MachineCounts {
  of_device: number;
  of_account: number;
}

/** Locks a device, and reads its account and serial. */
export async function lockSerial(
  manager: EntityManager,
  deviceId: string,
): Promise<{ account_id: string; serial: string } | undefined> {
  const [device] = await manager.query<{ account_id: string; serial: string }[]>(
    'SELECT account_id, serial FROM devices WHERE id = $1 FOR NO KEY UPDATE',
    [deviceId],
  );
  return device;
}

/** Counts the machines of a device, and of all devices of its account. */
export async function countMachines(
  manager: EntityManager,
  deviceId: string,
  accountId: string,
): Promise<MachineCounts | undefined> {
  const [row] = await manager.query<MachineCounts[]>(
    `SELECT (count(*) FILTER (WHERE m.device_id = $1))::int AS of_device, count(*)::int AS of_account
     FROM device_machines m JOIN devices d ON d.id = m.device_id WHERE d.account_id = $2`,
    [deviceId, accountId],
  );
  return row;
}

/**
 * Deletes machines that did not dial for an interval of PostgreSQL, decisions that were not used for as long, and machines whose separate
 * device has connected.
 * @returns the devices of these machines
 */
export async function deleteStaleMachines(
  manager: EntityManager,
  after: string,
): Promise<{ id: string; account_id: string }[]> {
  const [rows] = await manager.query<[{ id: string; account_id: string }[], number]>(
    `DELETE FROM device_machines m USING devices d
     WHERE d.id = m.device_id AND (COALESCE(m.separate_since, m.last_seen) < now() - $1::interval
       OR EXISTS (SELECT FROM devices s WHERE s.id = m.separated_id AND s.connected))
     RETURNING d.id, d.account_id`,
    [after],
  );
  return rows;
}

/** Records the decision that a machine is a separate device; adds the machine if it is unknown. @param by name of the person */
export async function approveSeparation(manager: EntityManager, machine: Machine, by: string): Promise<void> {
  await manager.query(
    `INSERT INTO device_machines (device_id, serial, model, public_ip, separate_since, decided_by)
     VALUES ($1, $2, $3, $4, now(), $5)
     ON CONFLICT (device_id, serial) DO UPDATE SET separate_since = now(), decided_by = excluded.decided_by`,
    [machine.deviceId, machine.serial, machine.model, machine.publicIp, by],
  );
}

/** Reads the decision that a machine is a separate device; undefined without one. */
export async function readDecision(
  manager: EntityManager,
  deviceId: string,
  serial: string,
): Promise<DecisionRow | undefined> {
  const [row] = await manager.query<DecisionRow[]>(
    `SELECT m.decided_by, m.separated_id, k.public_key AS separated_key
     FROM device_machines m LEFT JOIN device_keys k ON k.device_id = m.separated_id
     WHERE m.device_id = $1 AND m.serial = $2 AND m.separate_since IS NOT NULL`,
    [deviceId, serial],
  );
  return row;
}

/** Gives a device the serial of its new hardware. */
export async function setSerial(manager: EntityManager, deviceId: string, serial: string): Promise<void> {
  await manager.query('UPDATE devices SET serial = $2, serial_confirmed = true WHERE id = $1', [deviceId, serial]);
}

/** Marks the key of a device as one that another machine has too, until the device rotates it. */
export async function markKeyShared(manager: EntityManager, deviceId: string): Promise<void> {
  await manager.query('UPDATE devices SET key_shared = true, clone_seen = NULL WHERE id = $1', [deviceId]);
}
