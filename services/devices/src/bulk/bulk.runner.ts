import { Inject, Injectable, Logger } from '@nestjs/common';
import { isOutage } from '@warren/platform/errors/outage';
import { Outbox } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import { Fault } from '@warren/platform/errors/fault';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AT_ONCE as UPDATES_AT_ONCE } from '../rollouts/rollout.limits.ts';
import { bulkDevices } from '../telemetry/metrics.ts';
import { BulkActions } from './bulk.actions.ts';
import { bulkJobFinished } from './bulk.event.ts';
import { settleOutcomes } from './bulk.history.ts';
import { BulkInitiator } from './bulk.initiator.ts';
import { BulkJobEntity } from './bulk.job.entity.ts';
import { paceOf, SWITCHED_TOGETHER } from './bulk.limits.ts';
import { failed, outcomeOf } from './bulk.outcome.ts';
import { REASONS } from './bulk.reasons.ts';
import { actionScope } from './bulk.rights.ts';
import { switchOf } from './bulk.row.ts';
import {
  countDevices,
  countUpdating,
  failLeftBehind,
  failWaiting,
  finishJob,
  retryLeftBehind,
  takeTurns,
  writeOutcomes,
  type Turn,
} from './bulk.sql.ts';
import { BulkSwitches } from './bulk.switches.ts';

/** While as many devices work on updates as may. */
const NO_ROOM_MS = 5_000;

/** Runs bulk jobs, a wave of devices at a time. One process at a time runs a job. */
@Injectable()
export class BulkRunner {
  private readonly log = new Logger(BulkRunner.name);

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: Outbox,
    private readonly initiator: BulkInitiator,
    private readonly actions: BulkActions,
    private readonly switches: BulkSwitches,
  ) {}

  /**
   * Runs the next wave of a job.
   * @returns milliseconds to wait before the next one; undefined when the job is over
   * @throws Fault `unavailable`, Error in an outage: the wave is to be run again
   */
  async wave(id: string): Promise<number | undefined> {
    const job = await this.source.manager.findOneBy(BulkJobEntity, { id, state: 'running' });
    await this.settle(id, job);
    if (!job) return undefined;
    const caller = await this.callerOf(job);
    if (!caller) {
      const refused = await failWaiting(this.source, id, 'rights_withdrawn', REASONS.withdrawn);
      bulkDevices.inc({ action: job.action, result: 'failed' }, refused);
      await this.finish(job);
      return undefined;
    }
    const pace = paceOf(job.action);
    const room = job.action === 'update' ? UPDATES_AT_ONCE - (await countUpdating(this.source)) : pace.devices;
    if (room <= 0) return NO_ROOM_MS;
    const wave = uuidv7();
    const turns = await takeTurns(this.source, id, wave, Math.min(room, pace.devices));
    if (switchOf(job.action))
      await inTurn(chunksOf(turns), pace.atOnce, (some) => this.together(caller, job, { wave, turns: some }));
    else await inTurn(turns, pace.atOnce, (turn) => this.one(caller, job, { wave, turn }));
    // Events of other people wait behind those of the job: it goes no faster than they are published.
    await this.outbox.published();
    return (await this.finish(job)) ? undefined : pace.pauseMs;
  }

  /** What a wave left behind is tried again, except for reboots: a device must not reboot twice. */
  private async settle(id: string, job: BulkJobEntity | null): Promise<void> {
    if (job && job.action !== 'reboot') return retryLeftBehind(this.source, id);
    const failed = await failLeftBehind(this.source, id, 'interrupted', REASONS.interrupted);
    if (job) bulkDevices.inc({ action: job.action, result: 'failed' }, failed);
  }

  /** The person with the rights of now; undefined without the permission for the action. */
  private async callerOf(job: BulkJobEntity): Promise<Caller | undefined> {
    const caller = await this.initiator.callerOf(job);
    if (!caller) return undefined;
    try {
      actionScope(caller, job.action, '');
      return caller;
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }

  private async one(caller: Caller, job: BulkJobEntity, { wave, turn }: { wave: string; turn: Turn }): Promise<void> {
    const outcome = await this.actions.take(caller, job, turn);
    const outcomes = [{ deviceId: turn.device_id, ...outcome }];
    await this.source.transaction((manager) => settleOutcomes(manager, job, { jobId: job.id, wave }, outcomes));
    bulkDevices.inc({ action: job.action, result: outcome.state });
  }

  /** One device that can't be changed keeps the others from it, so they are taken one by one after an error. */
  private async together(
    caller: Caller,
    job: BulkJobEntity,
    of: { wave: string; turns: readonly Turn[] },
  ): Promise<void> {
    const { wave, turns } = of;
    try {
      for (const { state } of await this.switches.take(caller, job, of))
        bulkDevices.inc({ action: job.action, result: state });
    } catch (error) {
      if (isOutage(error)) throw error;
      const [turn, ...others] = turns;
      if (turn && others.length === 0) return this.failed(job, { wave, turn }, error);
      this.log.warn({ err: error, job: job.id }, 'Devices of a bulk job are changed one by one.');
      for (const one of turns) await this.together(caller, job, { wave, turns: [one] });
    }
  }

  private async failed(
    job: BulkJobEntity,
    { wave, turn }: { wave: string; turn: Turn },
    error: unknown,
  ): Promise<void> {
    const { device_id: deviceId } = turn;
    if (!(error instanceof Fault))
      this.log.error({ err: error, job: job.id, device: deviceId }, 'A bulk action failed.');
    const outcome = error instanceof Fault ? outcomeOf(error) : failed('internal', REASONS.internal);
    await writeOutcomes(this.source, { jobId: job.id, wave }, [{ deviceId, ...outcome }]);
    bulkDevices.inc({ action: job.action, result: outcome.state });
  }

  /** @returns false while devices wait */
  private finish(job: BulkJobEntity): Promise<boolean> {
    return this.outbox.transaction(async (manager, emit) => {
      if (!(await finishJob(manager, job.id))) return false;
      const counts = (await countDevices(manager, [job.id])).get(job.id);
      if (counts) emit(bulkJobFinished(job, counts));
      return true;
    });
  }
}

/** Does all, at most `atOnce` at the same time. After an error the rest is left, and what is in progress is finished first. */
async function inTurn<T>(items: readonly T[], atOnce: number, does: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  let broken = false;
  const lane = async () => {
    for (const item of left) {
      if (broken) return;
      await does(item).catch((error: unknown) => {
        broken = true;
        throw error;
      });
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  const rejected = lanes.find((one) => one.status === 'rejected');
  if (rejected) throw rejected.reason as Error;
}

/** The turns of a wave, in groups that share a transaction. */
function chunksOf(turns: readonly Turn[]): Turn[][] {
  const count = Math.ceil(turns.length / SWITCHED_TOGETHER);
  return Array.from({ length: count }, (_, at) => turns.slice(at * SWITCHED_TOGETHER, (at + 1) * SWITCHED_TOGETHER));
}
