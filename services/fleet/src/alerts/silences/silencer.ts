import { Inject, Injectable } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { parseReferring } from '@warren/rules/filter/parse';
import { DataSource, MoreThan } from 'typeorm';
import { alertsChanged } from '../events.ts';
import { writeChanges } from '../records/changes.sql.ts';
import { DeviceMatcher, piecesOf } from '../matching/device.matcher.ts';
import { AlertSilenceEntity } from '../records/silence.entity.ts';
import { readAlerted, readSilencedAccounts, writeSilenced } from '../records/silences.sql.ts';

/** Silences that have not ended, by account. */
export type ActiveSilences = ReadonlyMap<string, readonly AlertSilenceEntity[]>;

/** Finds the devices whose alerts are silenced. */
@Injectable()
export class Silencer {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly matcher: DeviceMatcher,
  ) {}

  async active(now: Date): Promise<ActiveSilences> {
    const silences = await this.source.manager.findBy(AlertSilenceEntity, { until: MoreThan(now) });
    const readable = silences.filter(({ filter }) => parseReferring(filter).ok);
    return Map.groupBy(readable, ({ accountId }) => accountId);
  }

  /** Those of the devices of an account that a silence is for. @throws Fault as {@link DeviceMatcher.match} */
  async among(active: ActiveSilences, accountId: string, deviceIds: readonly string[]): Promise<Set<string>> {
    const filters = new Set((active.get(accountId) ?? []).map(({ filter }) => filter));
    if (filters.size === 0 || deviceIds.length === 0) return new Set();
    // One for all devices needs nobody to be asked.
    if (filters.has('')) return new Set(deviceIds);
    const queries = [...filters].flatMap((filter) =>
      piecesOf(deviceIds).map((piece) => ({ accountIds: [accountId], filter, deviceIds: piece })),
    );
    const found = await this.matcher.match(queries);
    // A silence that can't be decided silences nothing.
    return new Set(found.flatMap(({ matches }) => matches.map(({ deviceId }) => deviceId)));
  }

  /**
   * Brings open alerts up to date with the silences. An alert that is no longer silenced counts as opened now.
   * @throws Fault as {@link DeviceMatcher.match}
   */
  async refresh(now: Date): Promise<void> {
    const active = await this.active(now);
    for (const accountId of new Set([...active.keys(), ...(await readSilencedAccounts(this.source))])) {
      const silenced = await this.among(active, accountId, await readAlerted(this.source, accountId));
      await this.outbox.transaction(async (manager, emit) => {
        const changed = await writeSilenced(manager, accountId, [...silenced]);
        await writeChanges(manager, 'opened', changed);
        if (changed.length > 0) emit(alertsChanged(accountId));
      });
    }
  }
}
