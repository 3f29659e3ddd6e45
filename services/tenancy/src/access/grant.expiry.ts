import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { accessChanged, grantAudited } from './access.event.ts';
import { deleteExpired, hasExpired } from './access.sql.ts';

const EVERY_MS = 1_000;
const BATCH = 500;

/**
 * Removes grants that have expired, and says so. Nothing depends on it: services don't count an expired grant. Any number of replicas may
 * do so at once.
 */
@Injectable()
export class GrantExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: GrantExpiry.name,
    everyMs: EVERY_MS,
    failed: 'Removing expired grants failed',
    round: () => this.sweep(),
  });

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  async sweep(): Promise<void> {
    if (!(await hasExpired(this.source))) return;
    await this.outbox.transaction(async (manager, emit) => {
      const rows = await deleteExpired(manager, BATCH);
      for (const row of rows) emit(grantAudited(serviceCaller('tenancy'), 'grant.expire', { before: row }));
      for (const accountId of new Set(rows.map(({ accountId: id }) => id))) emit(accessChanged(accountId));
    });
  }
}
