import type { MessageInitShape } from '@bufbuild/protobuf';
import { Fault } from '@warren/platform/errors/fault';
import { sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { DeviceSchema } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { rightsOf, viewableRights } from '../access/rights.ts';
import { asDevice, type DeviceRow } from './device.row.ts';
import { lockDevicesOf, readDevice } from './devices.sql.ts';

/**
 * Reads a device that the caller may view.
 * @throws Fault `not_found` also for a device of another account
 */
export async function visibleDevice(manager: EntityManager, caller: Caller, id: string): Promise<DeviceRow> {
  const row = isUuid(id) ? await readDevice(manager, id, sightOf(caller)) : undefined;
  await viewableRights(manager, caller, row, `device ${id}`);
  if (!row) throw new Fault('not_found', `device ${id}.`);
  return row;
}

/** A device as the caller sees it after a change. */
export async function deviceMessage(
  manager: EntityManager,
  caller: Caller,
  row: DeviceRow,
  domain: string,
): Promise<MessageInitShape<typeof DeviceSchema>> {
  const rights = await rightsOf(manager, requireUser(caller), [row]);
  return asDevice(row, domain, rights.get(row.id) ?? []);
}

/** Locks the visible devices among these until the transaction ends. Read them afterwards: they may have changed before. */
export async function lockVisibleDevices(manager: EntityManager, caller: Caller, ids: string[]): Promise<void> {
  await lockDevicesOf(
    manager,
    ids.filter((id) => isUuid(id)),
    sightOf(caller),
  );
}
