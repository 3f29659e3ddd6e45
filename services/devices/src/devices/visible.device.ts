import { Fault } from '@warren/platform/errors/fault';
import { sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { DeviceRow } from './device.row.ts';
import { lockDevicesOf, readDevice } from './devices.sql.ts';

/**
 * Reads a device that the caller may see.
 * @throws Fault `not_found` also for a device of another account
 */
export async function visibleDevice(manager: EntityManager, caller: Caller, id: string): Promise<DeviceRow> {
  const row = isUuid(id) ? await readDevice(manager, id, sightOf(caller)) : undefined;
  if (!row) throw new Fault('not_found', `device ${id}.`);
  return row;
}

/** Locks the visible devices among these until the transaction ends. Read them afterwards: they may have changed before. */
export async function lockVisibleDevices(manager: EntityManager, caller: Caller, ids: string[]): Promise<void> {
  await lockDevicesOf(
    manager,
    ids.filter((id) => isUuid(id)),
    sightOf(caller),
  );
}
