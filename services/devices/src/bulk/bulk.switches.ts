import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { DeviceRow } from '../devices/device.row.ts';
import { switchDevices } from '../devices/device.switches.ts';
import { readDevices } from '../devices/devices.sql.ts';
import { lockVisibleDevices } from '../devices/visible.device.ts';
import { settleOutcomes } from './bulk.history.ts';
import { DONE, failed, outcomeOf, type Outcome } from './bulk.outcome.ts';
import { BulkJobEntity } from './bulk.job.entity.ts';
import { REASONS } from './bulk.reasons.ts';
import { permissionOf, switchOf } from './bulk.row.ts';
import { cancelTurns, lockTurns, type DeviceOutcome, type Turn } from './bulk.sql.ts';

/** Takes the switches of a job on several devices at once: one transaction has the changes, their events and the outcomes. */
@Injectable()
export class BulkSwitches {
  constructor(@Inject(Outbox) private readonly outbox: EventfulTransactions) {}

  /**
   * Switches the devices that are still the wave's, unless the job was cancelled.
   * @returns the outcomes of these devices
   * @throws Error if the transaction fails: then no device has changed
   */
  take(
    caller: Caller,
    job: BulkJobEntity,
    { wave, turns }: { wave: string; turns: readonly Turn[] },
  ): Promise<DeviceOutcome[]> {
    const change = switchOf(job.action);
    if (!change) throw new Error(`The action ${job.action} is no switch.`);
    return this.outbox.transaction(async (manager, emit) => {
      const of = { jobId: job.id, wave };
      const held = await lockTurns(
        manager,
        of,
        turns.map(({ device_id: id }) => id),
      );
      const ids = [...held];
      if (!(await manager.existsBy(BulkJobEntity, { id: job.id, state: 'running' }))) {
        await cancelTurns(manager, of, ids);
        return [];
      }
      await lockVisibleDevices(manager, caller, ids);
      const rows = new Map((await readDevices(manager, ids, sightOf(caller))).map((row) => [row.id, row]));
      const own = turns.filter(({ device_id: id }) => held.has(id));
      const outcomes = own.map((turn) => {
        const row = rows.get(turn.device_id);
        return { deviceId: turn.device_id, row, outcome: outcomeFor(caller, job, { turn, row }) };
      });
      const allowed = outcomes.flatMap(({ row, outcome }) => (row && outcome.state === 'done' ? [row] : []));
      await switchDevices({ manager, emit }, caller, { rows: allowed, ...change });
      const written = outcomes.map(({ deviceId, outcome }) => ({ deviceId, ...outcome }));
      await settleOutcomes(manager, job, of, written);
      return written;
    });
  }
}

/** What becomes of a device, if the transaction commits. */
function outcomeFor(
  caller: Caller,
  job: BulkJobEntity,
  { turn, row }: { turn: Turn; row: DeviceRow | undefined },
): Outcome {
  if (!row) return failed('not_found', REASONS.missing);
  try {
    requireMay(caller, permissionOf(job.action), row.account_id, `device ${row.id}`);
  } catch (error) {
    if (error instanceof Fault) return outcomeOf(error);
    throw error;
  }
  return row.account_id === turn.account_id ? DONE : failed('moved', REASONS.moved);
}
