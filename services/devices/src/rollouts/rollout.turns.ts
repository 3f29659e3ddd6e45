import { Inject, Injectable } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import semver from 'semver';
import { DataSource, In, type EntityManager } from 'typeorm';
import { UpdateWindowsService } from '../windows/update.windows.service.ts';
import { RolloutEntity } from './rollout.entity.ts';
import { AT_ONCE, tooManyFailed } from './rollout.limits.ts';
import { rolloutChanged } from './rollout.row.ts';
import {
  beginDevices,
  countTried,
  countWorking,
  endIfOver,
  markNewer,
  readActive,
  settleOverdue,
  WITH_DEVICES,
} from './rollout.turns.sql.ts';
import { idsOf } from './rollout.waits.ts';

/** Decides which devices of a rollout it is the turn of, and when a rollout is over or stops by itself. */
@Injectable()
export class RolloutTurns {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly windows: UpdateWindowsService,
  ) {}

  /** One round over all that run, and those whose devices are still at it. @returns how many there are */
  async take(): Promise<number> {
    const running = await readActive(this.source);
    const closed = running.length > 0 ? idsOf(await this.windows.closed()) : [];
    for (const { id } of running) await this.one(id, closed);
    return running.length;
  }

  private one(id: string, closed: readonly string[]): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const where = { id, state: In(WITH_DEVICES) };
      // Another replica may work on it.
      const lock = { mode: 'pessimistic_write', onLocked: 'skip_locked' } as const;
      const rollout = await manager.findOne(RolloutEntity, { where, lock });
      if (!rollout) return;
      let changed = await settleOverdue(manager, rollout, closed);
      if (rollout.state === 'running') changed += await this.proceed(manager, rollout, closed);
      if (changed > 0) emit(rolloutChanged(id));
    });
  }

  private async proceed(manager: EntityManager, rollout: RolloutEntity, closed: readonly string[]): Promise<number> {
    return (await this.stopped(manager, rollout)) ? 1 : this.begin(manager, rollout, closed);
  }

  /** Too many have failed. */
  private async stopped(manager: EntityManager, rollout: RolloutEntity): Promise<boolean> {
    const counted = await countTried(manager, rollout.id);
    const failed = (counted?.failed ?? 0) - rollout.seenFailed;
    const tried = (counted?.tried ?? 0) - rollout.seenTried;
    if (!tooManyFailed(failed, tried)) return false;
    const flapping = counted?.flapping ?? 0;
    const why = `${failed} of ${tried} devices that tried it failed${flapping > 0 ? `; it flaps on ${flapping}` : ''}`;
    await manager.update(RolloutEntity, { id: rollout.id }, { state: 'paused', why });
    return true;
  }

  private async begin(manager: EntityManager, rollout: RolloutEntity, closed: readonly string[]): Promise<number> {
    const room = AT_ONCE - (await countWorking(manager, rollout.id));
    const begun = room > 0 ? await beginDevices(manager, rollout.id, room, closed) : [];
    const newer = begun.filter(({ from_version: from }) => semver.valid(from) && semver.gt(from, rollout.version));
    await markNewer(
      manager,
      rollout.id,
      newer.map(({ device_id: device }) => device),
    );
    if (begun.length > 0) return begun.length;
    return rollout.share < 100 ? 0 : endIfOver(manager, rollout.id);
  }
}
