import type { Event } from '@warren/platform/events/event';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { EntityManager } from 'typeorm';
import { deviceChanged } from '../events/device.event.ts';
import { deviceAudited } from './device.changes.audit.ts';
import type { DeviceRow, SwitchColumn } from './device.row.ts';
import { updateSwitch } from './devices.sql.ts';

/**
 * Turns the console or the web service of many devices on or off in one statement, with the events that each would have alone.
 * @param rows locked by the transaction; the caller may change each
 */
export async function switchDevices(
  { manager, emit }: { manager: EntityManager; emit: (event: Event) => void },
  caller: Caller,
  { rows, column, enabled }: { rows: readonly DeviceRow[]; column: SwitchColumn; enabled: boolean },
): Promise<void> {
  const different = rows.filter((row) => row[column] !== enabled);
  if (different.length === 0) return;
  const { userId: actor } = requireUser(caller);
  await updateSwitch(
    manager,
    different.map(({ id }) => id),
    { column, enabled },
  );
  for (const row of different) {
    emit(deviceChanged(row.id, row.account_id, { actor }));
    const columns = { [column]: enabled };
    for (const event of deviceAudited(caller, { row, action: 'device.set_service', columns })) emit(event);
  }
}
