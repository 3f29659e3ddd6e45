import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { EventData } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { deviceText } from '@warren/rules/facts';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { deviceChanged } from '../events/device.event.ts';
import { addressText, check, serialText } from '../facts/facts.ts';
import { MachineEntity } from './machine.entity.ts';
import { countMachines, deleteStaleMachines, lockSerial, type Machine } from './machines.sql.ts';

const EVERY_MS = 15_000;
/** A machine that waits dials at least every 5 minutes. */
const KEPT_FOR = '24 hours';
/** Bounds what a device can make the hub store by forging serials. */
const MOST = { ofDevice: 4, ofAccount: 200 };

/** Keeps machines that dial with a device's key and another serial, until a person decides or they stop dialling. */
@Injectable()
export class WaitingMachines implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(WaitingMachines.name);
  private readonly rounds = new Rounds({
    of: WaitingMachines.name,
    everyMs: EVERY_MS,
    failed: 'Machines that wait for a decision are kept for too long',
    round: () => this.forget(),
  });

  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** Records a machine that dialled. Emits an event for a new one. */
  async seen(data: Pick<EventData<'deviceCloned'>, 'deviceId' | 'serial' | 'model' | 'publicIp'>): Promise<void> {
    const machine = checked(data);
    if (!machine) return this.log.warn({ device: data.deviceId }, 'A machine with an invalid serial dialled.');
    await this.outbox.transaction(async (manager, emit) => {
      const device = await lockSerial(manager, machine.deviceId);
      // The decision was made meanwhile.
      if (!device || device.serial === machine.serial) return;
      const { deviceId, serial, model, publicIp } = machine;
      const again = { model, publicIp, lastSeen: () => 'now()' };
      if ((await manager.update(MachineEntity, { deviceId, serial }, again)).affected) return;
      if (await isFull(manager, deviceId, device.account_id))
        return this.log.warn({ device: deviceId }, 'Too many machines wait for a decision.');
      await manager.insert(MachineEntity, machine);
      emit(deviceChanged(deviceId, device.account_id));
    });
  }

  /** Deletes machines that no longer dial, decisions that were not used in time, and those whose separate device has connected. */
  async forget(after = KEPT_FOR): Promise<void> {
    await this.outbox.transaction(async (manager, emit) => {
      const rows = await deleteStaleMachines(manager, after);
      // With the device as actor, so that replicas make it rotate a shared key.
      for (const { id, account_id: accountId } of rows) emit(deviceChanged(id, accountId, { actor: id }));
    });
  }
}

function checked({ deviceId, ...said }: Machine): Machine | undefined {
  if (!isUuid(deviceId)) return undefined;
  try {
    const serial = check('serial', serialText, said.serial);
    const model = check('model', deviceText(128), said.model);
    return { deviceId, serial, model, publicIp: check('public_ip', addressText, said.publicIp) };
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

async function isFull(manager: EntityManager, deviceId: string, accountId: string): Promise<boolean> {
  const row = await countMachines(manager, deviceId, accountId);
  return !row || row.of_device >= MOST.ofDevice || row.of_account >= MOST.ofAccount;
}
