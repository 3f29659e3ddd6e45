import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput, shownValue } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  ActivityKind,
  MachineDecision,
  type DecideMachineRequest,
  type DeviceSchema,
} from '@warren/proto/devices/v1/devices';
import { IsNull, type EntityManager } from 'typeorm';
import { deviceTarget } from '../events/device.audit.ts';
import { deviceChanged } from '../events/device.event.ts';
import type { DeviceRow } from '../devices/device.row.ts';
import { DEVICE_DOMAIN } from '../devices/devices.service.ts';
import { deviceMessage, lockVisibleDevices, visibleDevice } from '../devices/visible.device.ts';
import { calledName, record } from '../history/history.ts';
import { MachineEntity } from './machine.entity.ts';
import { approveSeparation, markKeyShared, setSerial } from './machines.sql.ts';

/** Applies a person's decision which machine a device is, when another one dials with its key. */
@Injectable()
export class MachineDecisions {
  constructor(
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(DEVICE_DOMAIN) private readonly domain: string,
  ) {}

  /**
   * Makes the machine the device's new hardware, or a separate device. If the former hardware is connected when it is replaced, it
   * becomes a separate device. The device rotates its key once no other machine waits.
   * @throws Fault `not_found` for an unknown device or waiting machine; `permission_denied`; `invalid_argument`
   */
  async decide(
    caller: Caller,
    { id, serial, decision }: Omit<DecideMachineRequest, '$typeName'>,
  ): Promise<{ device: MessageInitShape<typeof DeviceSchema> }> {
    if (decision !== MachineDecision.REPLACE && decision !== MachineDecision.SEPARATE)
      throw invalidInput({
        field: 'decision',
        message: 'expected 1 (replace) or 2 (separate).',
        value: shownValue(decision),
      });
    return this.outbox.transaction(async (manager, emit) => {
      await lockVisibleDevices(manager, caller, [id]);
      const device = await visibleDevice(manager, caller, id);
      const { account_id: accountId } = device;
      const actor = requireMay(caller, 'devices.enrol', accountId, `device ${id}`);
      const by = actor.name || actor.email;
      await requireWaiting(manager, device, serial);
      if (decision === MachineDecision.REPLACE) await replaceHardware(manager, device, serial, by);
      else await approveSeparation(manager, { deviceId: id, serial, model: '', publicIp: '' }, by);
      await markKeyShared(manager, id);
      const replaced = decision === MachineDecision.REPLACE;
      const kind = replaced ? ActivityKind.HARDWARE_REPLACED : ActivityKind.MACHINE_SEPARATED;
      const happening = { kind, deviceId: id, accountId, deviceName: calledName(device), detail: serial, actor: by };
      await record(manager, [happening]);
      emit(deviceChanged(id, accountId, { actor: actor.userId }));
      const details = { decision: replaced ? 'replace' : 'separate', machine: serial };
      const states = replaced ? { before: { serial: device.serial }, after: { serial } } : {};
      const target = deviceTarget(device);
      emit(auditEvent(caller, { action: 'device.decide_machine', accountId, target, ...states, details }));
      return { device: await deviceMessage(manager, caller, await visibleDevice(manager, caller, id), this.domain) };
    });
  }
}

async function requireWaiting(manager: EntityManager, device: DeviceRow, serial: string): Promise<void> {
  const where = { deviceId: device.id, serial, separateSince: IsNull() };
  const lock = { mode: 'pessimistic_write' } as const;
  if (!serial.includes('\0') && (await manager.findOne(MachineEntity, { where, lock }))) return;
  throw new Fault('not_found', `machine with serial ${serial.slice(0, 128)} that waits at ${calledName(device)}.`);
}

async function replaceHardware(manager: EntityManager, device: DeviceRow, serial: string, by: string): Promise<void> {
  const { id: deviceId, serial: former, public_ip: publicIp, facts } = device;
  const model = facts.model ?? '';
  await manager.delete(MachineEntity, { deviceId, serial });
  if (device.connected) await approveSeparation(manager, { deviceId, serial: former, model, publicIp }, by);
  await setSerial(manager, deviceId, serial);
}
