import { Inject, Injectable } from '@nestjs/common';
import { retried } from '@warren/platform/database/retried';
import { timeOfId } from '@warren/platform/events/event.id';
import { DataSource, type EntityManager } from 'typeorm';
import { CHAIN_KEYS, type ChainKeys } from '../chain/chain.keys.ts';
import { firstHash, hashAfter, signPlace, type Place } from '../chain/chain.ts';
import { eventsRecorded, recordingSeconds } from '../telemetry/metrics.ts';
import { createPartition, insertEvents, knownIds, lockChains, moveHeads, type PlacedRow } from './record.sql.ts';
import { derivedOf, readEvent, type EventRow } from './row.ts';

/** Appends events to the chains of their accounts, each id once. */
@Injectable()
export class EventStore {
  /** Months that have a partition, as far as this process knows. */
  private readonly months = new Set<string>();

  constructor(
    private readonly source: DataSource,
    @Inject(CHAIN_KEYS) private readonly keys: ChainKeys,
  ) {}

  /**
   * Stores events in one transaction, and leaves out those that are stored already.
   * @returns the accounts that got events
   */
  store(rows: readonly EventRow[]): Promise<string[]> {
    return rows.length === 0 ? Promise.resolve([]) : this.storeWith(rows, async () => {});
  }

  /** As {@link store}, together with a change of this service's own. */
  async storeWith(rows: readonly EventRow[], change: (manager: EntityManager) => Promise<void>): Promise<string[]> {
    await this.preparePartitions(rows.map(({ id }) => timeOfId(id)));
    return this.storeFrom(async (manager) => {
      await change(manager);
      return rows;
    });
  }

  /** Stores the events of the present that a change of this service's own gives, in the transaction of the change. */
  async storeFrom(change: (manager: EntityManager) => Promise<readonly EventRow[]>): Promise<string[]> {
    await this.preparePartitions([Date.now()]);
    const stop = recordingSeconds.startTimer();
    const placed = await retried(() =>
      this.source.transaction(async (manager) => {
        const rows = await change(manager);
        return rows.length === 0 ? [] : this.append(manager, rows);
      }),
    );
    if (placed.length > 0) {
      eventsRecorded.inc(placed.length);
      stop();
    }
    return [...new Set(placed.map(({ accountId }) => accountId))];
  }

  /** A partition that was dropped for its age comes back for an event that is older still. */
  private async preparePartitions(times: readonly number[]): Promise<void> {
    const months = new Set(times.map(monthOf));
    for (const month of months) {
      if (this.months.has(month)) continue;
      await createPartition(this.source, month);
      if (month >= monthOf(Date.now())) this.months.add(month);
    }
  }

  private async append(manager: EntityManager, rows: readonly EventRow[]): Promise<PlacedRow[]> {
    const accounts = [...new Set(rows.map(({ accountId }) => accountId))].sort();
    const heads = await lockChains(
      manager,
      accounts.map((accountId) => ({ accountId, first: firstHash(accountId) })),
    );
    // After the locks: another replica that stored the same event has committed.
    const known = await knownIds(
      manager,
      rows.map(({ id }) => id),
    );
    const placed: PlacedRow[] = [];
    for (const row of rows) {
      if (known.has(row.id)) continue;
      known.add(row.id);
      const next = placeAfter(heads.get(row.accountId), row);
      heads.set(row.accountId, next);
      placed.push(next);
    }
    if (placed.length === 0) return [];
    await insertEvents(manager, placed);
    const now = new Date();
    const moved = [...new Set(placed.map(({ accountId }) => accountId))].flatMap(
      (accountId) => heads.get(accountId) ?? [],
    );
    await moveHeads(
      manager,
      moved.map((place) => signPlace(place, 'head', now, this.keys.own)),
    );
    return placed;
  }
}

function placeAfter(head: Place | undefined, row: EventRow): PlacedRow {
  if (!head) throw new Error(`There is no chain of the account ${row.accountId}.`);
  const sequence = head.sequence + 1n;
  const hash = hashAfter(head.hash, { ...row, sequence });
  return { ...row, ...derivedOf(readEvent(row.event)), sequence, hash };
}

/** The month of a time, UTC: `2026-12-01`. */
export function monthOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 7)}-01`;
}
