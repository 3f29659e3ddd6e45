import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { ActivityKind, type DeviceSchema } from '@warren/proto/devices/v1/devices';
import { calledName, record } from '../history/history.ts';
import { deviceTarget } from '../events/device.audit.ts';
import { deviceChanged, deviceDeleted } from '../events/device.event.ts';
import type { DeviceRow } from './device.row.ts';
import { DEVICE_DOMAIN } from './devices.service.ts';
import { mergeInto } from './devices.sql.ts';
import { deviceMessage, lockVisibleDevices, visibleDevice } from './visible.device.ts';

/** Replaces an old entry with a device that was set up again, or with its new hardware. */
@Injectable()
export class ReplacementService {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /**
   * Moves the key and the serial of the new entry to the old one, which keeps everything else, and deletes the new one. The agent keeps
   * sending the new id, which resolves to the old entry from then on.
   * @param newHardware whether the serials may differ
   * @throws Fault `not_found`, `permission_denied`; `failed_precondition` if the two are not one device, or the old one is connected
   */
  replace(
    caller: Caller,
    { id, replacedId, newHardware }: { id: string; replacedId: string; newHardware: boolean },
  ): Promise<{ device: MessageInitShape<typeof DeviceSchema> }> {
    return this.outbox.transaction(async (manager, emit) => {
      await lockVisibleDevices(manager, caller, [id, replacedId]);
      const fresh = await visibleDevice(manager, caller, id);
      const actor = requireMay(caller, 'devices.enrol', fresh.account_id, `device ${id}`);
      const old = await visibleDevice(manager, caller, replacedId);
      requireReplaceable(fresh, old, newHardware);
      const { id: deviceId, account_id: accountId } = old;
      const name = calledName(old);
      await mergeInto(manager, { oldId: deviceId, freshId: fresh.id, name });
      const who = actor.name || actor.email;
      const happened =
        fresh.serial === old.serial
          ? { kind: ActivityKind.ENROLLED }
          : { kind: ActivityKind.HARDWARE_REPLACED, detail: fresh.serial };
      await record(manager, [{ ...happened, deviceId, accountId, deviceName: name, actor: who }]);
      emit(deviceDeleted(fresh.id, accountId, actor.userId));
      emit(deviceChanged(deviceId, accountId, { actor: actor.userId }));
      emit(
        auditEvent(caller, {
          action: 'device.replace',
          accountId,
          target: deviceTarget(old),
          before: { serial: old.serial },
          after: { serial: fresh.serial },
          details: { entry: fresh.id },
        }),
      );
      return {
        device: await deviceMessage(manager, caller, await visibleDevice(manager, caller, deviceId), this.domain),
      };
    });
  }
}

function requireReplaceable(fresh: DeviceRow, old: DeviceRow, newHardware: boolean): void {
  const why =
    fresh.account_id !== old.account_id
      ? 'it is in another account'
      : fresh.serial !== old.serial && !newHardware
        ? 'its serial is another one; confirm that the hardware is new'
        : fresh.created <= old.created
          ? 'it is not the older entry'
          : old.connected
            ? 'it is connected, so they are two devices'
            : undefined;
  if (why) throw new Fault('failed_precondition', `${calledName(old)} can't be replaced: ${why}.`);
}
