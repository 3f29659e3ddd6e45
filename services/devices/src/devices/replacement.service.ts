import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { ActivityKind, type DeviceSchema } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { calledName, record } from '../history/history.ts';
import { deviceChanged, deviceDeleted } from './device.event.ts';
import { asDevice, SELECT_ONE_DEVICE, type DeviceRow } from './device.row.ts';
import { DEVICE_DOMAIN } from './devices.service.ts';

/** How a device that was set up anew gets its old entry back. */
@Injectable()
export class ReplacementService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /**
   * The old entry takes the key of the new one, keeps everything else, and the new one is gone. Its agent goes on saying the new id,
   * which leads to the old one from then on.
   * @throws Fault `not_found`, `permission_denied`; `failed_precondition` when the two are not one device, or the old one is connected
   */
  replace(
    caller: Caller,
    { id, replacedId }: { id: string; replacedId: string },
  ): Promise<{ device: MessageInitShape<typeof DeviceSchema> }> {
    return this.outbox.transaction(async (manager, emit) => {
      // In the order of their ids, as all who lock several do.
      await manager.query('SELECT id FROM devices WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE', [
        [id, replacedId].filter((one) => isUuid(one)),
      ]);
      const fresh = await find(manager, caller, id);
      const actor = requireMay(caller, 'devices.enrol', fresh.account_id, `device ${id}`);
      const old = await find(manager, caller, replacedId);
      requireSameDevice(fresh, old);
      await handOver(manager, fresh, old);
      const { id: deviceId, account_id: accountId } = old;
      const name = calledName(old);
      const who = actor.name || actor.email;
      await record(manager, [{ kind: ActivityKind.ENROLLED, deviceId, accountId, deviceName: name, actor: who }]);
      emit(deviceDeleted(fresh.id, accountId, actor.userId));
      emit(deviceChanged(deviceId, accountId, { actor: actor.userId }));
      return { device: asDevice(await find(manager, caller, deviceId), this.domain) };
    });
  }
}

/** @throws Fault `not_found` also for a device of an account that the caller does not see */
async function find(manager: EntityManager, caller: Caller, id: string): Promise<DeviceRow> {
  const accountId = sightOf(caller);
  const [row] = isUuid(id)
    ? await manager.query<DeviceRow[]>(
        `${SELECT_ONE_DEVICE} WHERE d.id = $1 AND ($2::uuid IS NULL OR d.account_id = $2)`,
        [id, accountId],
      )
    : [];
  if (!row) throw new Fault('not_found', `Not found: device ${id}.`);
  return row;
}

function requireSameDevice(fresh: DeviceRow, old: DeviceRow): void {
  const why =
    fresh.account_id !== old.account_id
      ? 'it is in another account'
      : fresh.serial !== old.serial
        ? 'its serial is another one'
        : fresh.created <= old.created
          ? 'it is not the older entry'
          : old.connected
            ? 'it is connected, so they are two devices'
            : undefined;
  if (why) throw new Fault('failed_precondition', `Replace refused: ${calledName(old)}: ${why}.`);
}

async function handOver(manager: EntityManager, fresh: DeviceRow, old: DeviceRow): Promise<void> {
  await manager.query('DELETE FROM device_keys WHERE device_id = $1', [old.id]);
  await manager.query('UPDATE device_keys SET device_id = $2 WHERE device_id = $1', [fresh.id, old.id]);
  await manager.query('UPDATE device_aliases SET device_id = $2 WHERE device_id = $1', [fresh.id, old.id]);
  await manager.query('INSERT INTO device_aliases (alias, device_id) VALUES ($1, $2)', [fresh.id, old.id]);
  // What it calls itself may be different now; what people called it stays.
  await manager.query('UPDATE devices SET custom_name = $2, clone_seen = NULL WHERE id = $1', [
    old.id,
    calledName(old),
  ]);
  await manager.query('DELETE FROM devices WHERE id = $1', [fresh.id]);
}
