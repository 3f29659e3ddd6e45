import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { EntityManager } from 'typeorm';
import type { EventRow } from '../../recording/row.ts';
import { audited, recordingTarget, SYSTEM } from '../audited.ts';
import { recordingsDropped } from '../telemetry/metrics.ts';
import { deleteLocked, lockOldest, type Deleted } from './deletion.sql.ts';
import { addUsage, settingsOf, type Settings } from './usage.sql.ts';

/** What applies to accounts without their own settings. */
export interface RecordingDefaults {
  days: number;
  /** In bytes. */
  quota: number;
}
export const RECORDING_DEFAULTS = Symbol('RecordingDefaults');

export const FULL_REFUSES = 2;
/** Recordings that are dropped for one chunk, at most. */
const MOST_DROPPED = 50;

/** Holds the recordings of each account to its quota. */
@Injectable()
export class RecordingQuota {
  constructor(@Inject(RECORDING_DEFAULTS) private readonly defaults: RecordingDefaults) {}

  /**
   * Counts bytes that an account stores, and deletes its oldest recordings for them if its settings say so.
   * @returns the events of what was deleted
   * @throws Fault `resource_exhausted` if they don't fit
   */
  async take(manager: EntityManager, accountId: string, bytes: number): Promise<EventRow[]> {
    let used = await addUsage(manager, accountId, bytes);
    const settings = await settingsOf(manager, accountId);
    const quota = this.quotaOf(settings);
    if (used <= quota) return [];
    if (settings?.full === FULL_REFUSES) throw full();
    const dropped: Deleted[] = [];
    for (const oldest of await lockOldest(manager, accountId, MOST_DROPPED)) {
      if (used <= quota) break;
      dropped.push(oldest);
      used -= oldest.stored;
    }
    // Nothing is dropped in vain.
    if (used > quota) throw full();
    await deleteLocked(manager, accountId, dropped);
    recordingsDropped.inc({ reason: 'quota' }, dropped.length);
    return dropped.map((one) => droppedEvent(one, 'quota'));
  }

  /** @throws Fault `resource_exhausted` if an account that drops nothing has no space for another recording */
  requireSpace(settings: Settings | undefined, used: number): void {
    if (settings?.full === FULL_REFUSES && used >= this.quotaOf(settings)) throw full();
  }

  quotaOf(settings: Pick<Settings, 'quota'> | undefined): number {
    return settings?.quota ?? this.defaults.quota;
  }

  daysOf(settings: Pick<Settings, 'days'> | undefined): number {
    return settings?.days ?? this.defaults.days;
  }
}

const full = () => new Fault('resource_exhausted', 'the recordings of the account take all of its quota.');

/** The event of a recording that was deleted for its age, or for the quota. */
export function droppedEvent(one: Deleted, reason: 'age' | 'quota'): EventRow {
  const { accountId, deviceId, userEmail, started, stored } = one;
  return audited(SYSTEM, {
    action: 'recording.drop',
    accountId,
    target: recordingTarget(one),
    reason,
    details: { device: deviceId, person: userEmail, started: started.toISOString(), bytes: stored },
  });
}
