import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { CHAIN_KEYS, type ChainKeys } from '../../chain/chain.keys.ts';
import { EventStore } from '../../recording/event.store.ts';
import { Recorder } from '../../recording/recorder.ts';
import { endRecording } from '../store/end.ts';
import { deleteKeys } from '../store/keys.sql.ts';
import { lockAbandoned } from '../store/rows.sql.ts';
import { fullAccounts, recordingsDropped } from '../telemetry/metrics.ts';
import { accountsAfter, deleteLocked, forgetSettings, lockAll, lockExpired } from './deletion.sql.ts';
import { droppedEvent, FULL_REFUSES, RecordingQuota } from './quota.ts';
import { Sweeper } from './sweeper.ts';
import { settingsOf, usageOf } from './usage.sql.ts';

const EVERY_MS = 60_000;
const PAGE = 200;
const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';
const NEARLY_FULL = 0.9;
const ANY = 0;
const DESKTOP = 2;
const DAY_MINUTES = 1_440;
/** Several times what a recorder of a desktop lets pass until it says that the desktop lives, and until another takes it over. */
const LOST_MINUTES = 5;

/** Deletes recordings past their retention, those of deleted accounts, and objects that nothing needs. */
@Injectable()
export class RecordingKeeper implements OnModuleInit, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: RecordingKeeper.name,
    everyMs: EVERY_MS,
    failed: 'Keeping recordings failed',
    round: () => this.round(),
  });
  private stopping = false;
  private readonly startedAt = performance.now();

  constructor(
    private readonly source: DataSource,
    private readonly events: EventStore,
    private readonly recorder: Recorder,
    private readonly quota: RecordingQuota,
    private readonly sweeper: Sweeper,
    @Inject(CHAIN_KEYS) private readonly keys: ChainKeys,
  ) {}

  onModuleInit(): void {
    // The event comes after the deletion is committed: one that is refused or rolled back deletes no recording.
    this.recorder.onDeleted((accounts) => this.accountsDeleted(accounts));
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  async round(): Promise<void> {
    let full = 0;
    for (let after: string | undefined = FIRST; after !== undefined && !this.stopping;) {
      const accounts: string[] = await accountsAfter(this.source, after, PAGE);
      for (const account of accounts) full += (await this.keep(account)) ? 1 : 0;
      after = accounts.at(-1);
    }
    fullAccounts.set(full);
    const mayContinue = () => !this.stopping;
    await this.sweeper.removeGarbage(mayContinue);
    if (mayContinue()) await this.sweeper.removeOrphans();
  }

  /** Deletes what is left of deleted accounts, but for recordings that are held. */
  async accountsDeleted(accounts: readonly string[]): Promise<void> {
    for (const account of accounts) {
      for (let count = BATCH; count === BATCH;) {
        count = await this.source.transaction(async (manager) => {
          const found = await lockAll(manager, account, BATCH);
          if (found.length > 0) await deleteLocked(manager, account, found);
          return found.length;
        });
        recordingsDropped.inc({ reason: 'account' }, count);
      }
    }
    await forgetSettings(this.source, accounts);
    await deleteKeys(this.source, accounts);
  }

  /** Closes recordings whose sessions ended without a writer that could say so, such as of devices that never came back. */
  private async closeAbandoned(accountId: string, days: number): Promise<void> {
    await this.close(accountId, { kind: ANY, minutes: days * DAY_MINUTES }, `nothing came for ${days} days`);
    // After all recorders were away, they get the time to come back.
    if (performance.now() - this.startedAt < LOST_MINUTES * 60_000) return;
    await this.close(accountId, { kind: DESKTOP, minutes: LOST_MINUTES }, 'the process that showed the desktop ended');
  }

  private async close(accountId: string, which: { kind: number; minutes: number }, reason: string): Promise<void> {
    await this.events.storeFrom(async (manager) => {
      const events = [];
      for (const row of await lockAbandoned(manager, accountId, which, BATCH))
        events.push(await endRecording(manager, row, { reason }, this.keys.own));
      return events;
    });
  }

  /** @returns whether the account is nearly full, and refuses what is beyond */
  private async keep(accountId: string): Promise<boolean> {
    const settings = await settingsOf(this.source, accountId);
    const days = this.quota.daysOf(settings);
    await this.closeAbandoned(accountId, days);
    for (let count = BATCH; count === BATCH && !this.stopping;) {
      await this.events.storeFrom(async (manager) => {
        const expired = await lockExpired(manager, accountId, days, BATCH);
        count = expired.length;
        if (count > 0) await deleteLocked(manager, accountId, expired);
        return expired.map((one) => droppedEvent(one, 'age'));
      });
      recordingsDropped.inc({ reason: 'age' }, count);
    }
    if (settings?.full !== FULL_REFUSES) return false;
    return (await usageOf(this.source, accountId)).bytes >= this.quota.quotaOf(settings) * NEARLY_FULL;
  }
}
