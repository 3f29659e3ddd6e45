import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { invalidInput } from '@warren/platform/errors/fault';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { RetentionResponseSchema } from '@warren/proto/audit/v1/audit';
import { RETENTION_MONTHS } from '@warren/rules/audit-streams';
import { DataSource } from 'typeorm';
import { CHAIN_KEYS, type ChainKeys } from '../chain/chain.keys.ts';
import { signPlace } from '../chain/chain.ts';
import { idAt } from '../list/list.sql.ts';
import { EventStore } from '../recording/event.store.ts';
import { rowOf } from '../recording/row.ts';
import { retentionApplied } from '../telemetry/metrics.ts';
import { RetentionEntity } from './retention.entity.ts';
import {
  accountsAfter,
  dropPartition,
  insertCheckpoint,
  lastOlder,
  lockChain,
  partitionMonths,
  removeEvents,
  setRemoved,
} from './retention.sql.ts';

export const AUDIT_MONTHS = Symbol('AUDIT_MONTHS');

const { min: MIN, max: MAX } = RETENTION_MONTHS;
const PAGE = 200;
const BATCH = 5_000;

type Answer = MessageInitShape<typeof RetentionResponseSchema>;

/** How long the events of each account are kept. */
@Injectable()
export class Retention {
  constructor(
    private readonly source: DataSource,
    private readonly store: EventStore,
    @Inject(CHAIN_KEYS) private readonly keys: ChainKeys,
    @Inject(AUDIT_MONTHS) private readonly defaultMonths: number,
  ) {}

  /** @throws Fault `permission_denied`; `not_found` */
  async get(caller: Caller, accountId: string): Promise<Answer> {
    requireMay(caller, 'audit.read', accountId);
    return this.answer(await this.monthsOf(accountId));
  }

  /**
   * Sets how many months the events of an account are kept; undefined: the default of the installation.
   * @throws Fault `permission_denied`; `not_found`; `invalid_argument` for a number out of bounds
   */
  async set(caller: Caller, { accountId, months }: { accountId: string; months?: number }): Promise<Answer> {
    requireMay(caller, 'audit.manage', accountId);
    if (months !== undefined && (!Number.isInteger(months) || months < MIN || months > MAX))
      throw invalidInput({ field: 'months', message: `expected a whole number from ${MIN} to ${MAX}` });
    const before = await this.monthsOf(accountId);
    if (before === months) return this.answer(months);
    const event = auditEvent(caller, {
      action: 'audit.set_retention',
      accountId,
      target: { kind: 'audit_trail', id: accountId },
      before: { months: before },
      after: { months },
    });
    // The event first: it is stored whether or not the retention is set after it.
    const row = event.kind.case === 'audit' ? rowOf(event, event.kind.value, new Date()) : undefined;
    await this.store.storeWith(row ? [row] : [], async (manager) => {
      if (months === undefined) await manager.delete(RetentionEntity, { accountId });
      else await manager.upsert(RetentionEntity, { accountId, months }, ['accountId']);
    });
    return this.answer(months);
  }

  /** Removes what is older than its account keeps it. */
  async apply(now: Date, goesOn: () => boolean = () => true): Promise<void> {
    for await (const { accountId, months, removed } of this.accounts())
      if (goesOn()) await this.mark(accountId, boundOf(now, months ?? this.defaultMonths), BigInt(removed));
    // A month that nobody keeps goes as a whole; the rest in batches.
    const oldest = new Date(now.getTime() - 28 * 86_400_000).toISOString().slice(0, 7);
    for (const month of await partitionMonths(this.source))
      if (month.slice(0, 7) < oldest && goesOn())
        await this.source.transaction((manager) => dropPartition(manager, month));
    await this.removeMarked(goesOn);
    if (goesOn()) retentionApplied.setToCurrentTime();
  }

  /** What an account has set. */
  private async monthsOf(accountId: string): Promise<number | undefined> {
    return (await this.source.manager.findOneBy(RetentionEntity, { accountId }))?.months;
  }

  /** Writes the checkpoint that says up to where the events of an account are removed. */
  private async mark(accountId: string, before: string, removed: bigint): Promise<void> {
    await this.source.transaction(async (manager) => {
      await lockChain(manager, accountId);
      const last = await lastOlder(manager, accountId, before);
      if (!last || BigInt(last.sequence) <= removed) return;
      const sequence = BigInt(last.sequence);
      const place = { accountId, sequence, hash: last.hash };
      await insertCheckpoint(manager, signPlace(place, 'removal', new Date(), this.keys.own));
      await setRemoved(manager, accountId, sequence);
    });
  }

  private async removeMarked(goesOn: () => boolean): Promise<void> {
    for await (const { accountId, removed } of this.accounts()) {
      const through = BigInt(removed);
      for (let count = BATCH; count === BATCH && through > 0n && goesOn();)
        count = await removeEvents(this.source, accountId, through, BATCH);
    }
  }

  private async *accounts() {
    for (let after: string | undefined, full = true; full;) {
      const page = await accountsAfter(this.source, after, PAGE);
      yield* page;
      after = page.at(-1)?.accountId;
      full = page.length === PAGE;
    }
  }

  private answer(months: number | undefined): Answer {
    return { ...(months !== undefined && { months }), defaultMonths: this.defaultMonths };
  }
}

/** The least id of the first of the month, so many months before. */
function boundOf(now: Date, months: number): string {
  return idAt(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months)));
}
