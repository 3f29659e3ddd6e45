import { Fault } from '@warren/platform/errors/fault';
import { sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { SELECT_ONE_DEVICE, type DeviceRow } from './device.row.ts';

/**
 * Reads a device that the caller may see.
 * @throws Fault `not_found` also for a device of another account
 */
export async function visibleDevice(manager: EntityManager, caller: Caller, id: string): Promise<DeviceRow> {
  const accountId = sightOf(caller);
  const [row] = isUuid(id)
    ? await manager.query<DeviceRow[]>(
        `${SELECT_ONE_DEVICE} WHERE d.id = $1 AND ($2::uuid IS NULL OR d.account_id = $2)`,
        [id, accountId],
      )
    : [];
  if (!row) throw new Fault('not_found', `device ${id}.`);
  return row;
}

/** Locks the visible devices among these until the transaction ends. Read them afterwards: they may have changed before. */
export async function lockVisibleDevices(manager: EntityManager, caller: Caller, ids: string[]): Promise<void> {
  // Sorted by id, like all locks of several devices, to avoid deadlocks.
  await manager.query(
    `SELECT FROM devices WHERE id = ANY($1::uuid[]) AND ($2::uuid IS NULL OR account_id = $2) ORDER BY id FOR UPDATE`,
    [ids.filter((id) => isUuid(id)), sightOf(caller)],
  );
}
