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

const EVERY_MS = 15_000;
/** A machine that waits dials at least every 5 minutes. */
const KEPT_FOR = '24 hours';
/** Bounds what a device can make the hub store by forging serials. */
const MOST = { ofDevice: 4, ofAccount: 200 };

interface Machine {
  deviceId: string;
  serial: string;
  model: string;
  publicIp: string;
}

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
      const [device] = await manager.query<{ account_id: string; serial: string }[]>(
        'SELECT account_id, serial FROM devices WHERE id = $1 FOR NO KEY UPDATE',
        [machine.deviceId],
      );
      // The decision was made meanwhile.
      if (!device || device.serial === machine.serial) return;
      if (await touch(manager, machine)) return;
      if (await isFull(manager, machine.deviceId, device.account_id))
        return this.log.warn({ device: machine.deviceId }, 'Too many machines wait for a decision.');
      await manager.query(
        'INSERT INTO device_machines (device_id, serial, model, public_ip) VALUES ($1, $2, $3, $4)',
        valuesOf(machine),
      );
      emit(deviceChanged(machine.deviceId, device.account_id));
    });
  }

  /** Deletes machines that no longer dial, decisions that were not used in time, and those whose separate device has connected. */
  async forget(after = KEPT_FOR): Promise<void> {
    await this.outbox.transaction(async (manager, emit) => {
      const [rows] = await manager.query<[{ id: string; account_id: string }[], number]>(
        `DELETE FROM device_machines m USING devices d
         WHERE d.id = m.device_id AND (COALESCE(m.separate_since, m.last_seen) < now() - $1::interval
           OR EXISTS (SELECT FROM devices s WHERE s.id = m.separated_id AND s.connected))
         RETURNING d.id, d.account_id`,
        [after],
      );
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

const valuesOf = ({ deviceId, serial, model, publicIp }: Machine) => [deviceId, serial, model, publicIp];

/** @returns whether it existed */
async function touch(manager: EntityManager, machine: Machine): Promise<boolean> {
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE device_machines SET last_seen = now(), model = $3, public_ip = $4 WHERE device_id = $1 AND serial = $2`,
    valuesOf(machine),
  );
  return count > 0;
}

async function isFull(manager: EntityManager, deviceId: string, accountId: string): Promise<boolean> {
  const [row] = await manager.query<{ of_device: number; of_account: number }[]>(
    `SELECT (count(*) FILTER (WHERE m.device_id = $1))::int AS of_device, count(*)::int AS of_account
     FROM device_machines m JOIN devices d ON d.id = m.device_id WHERE d.account_id = $2`,
    [deviceId, accountId],
  );
  return !row || row.of_device >= MOST.ofDevice || row.of_account >= MOST.ofAccount;
}
