import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { lockAccount } from '../accounts/account.lock.ts';
import type { DomainEntity, Finding } from './domain.entity.ts';
import { domainAudited } from './domain.event.ts';
import { DomainLookup } from './domain.lookup.ts';
import { lockDomain } from './domain.lock.ts';
import { saveFinding, takeDue } from './domains.sql.ts';

const EVERY_MS = 600_000;
const BATCH = 20;

/**
 * Checks domains that DNS proved once a day. A record that is gone is a warning on the page and in the audit trail; the account keeps the
 * domain, because an outage of its DNS must not stop provisioning. Any number of replicas may do so at once.
 */
@Injectable()
export class DomainRecheck implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DomainRecheck.name);
  private readonly rounds = new Rounds({
    of: DomainRecheck.name,
    everyMs: EVERY_MS,
    failed: 'Checking the domains of accounts failed',
    round: () => this.sweep(),
  });

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly lookup: DomainLookup,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** Checks all domains that are due. */
  async sweep(): Promise<void> {
    for (;;) {
      const due = await takeDue(this.source, BATCH);
      const findings = await Promise.all(due.map((row) => this.lookup.look(row)));
      for (const [at, row] of due.entries()) await this.store(row, findings[at] ?? 'unreachable');
      if (due.length < BATCH) return;
    }
  }

  /** Stores a finding. One that can't be stored, as that of a deleted account, keeps back no other. */
  private async store(row: DomainEntity, finding: Finding): Promise<void> {
    try {
      await this.settle(row, finding);
    } catch (error) {
      this.log.warn({ err: error, domain: row.id }, 'the finding about a domain was not stored');
    }
  }

  private async settle({ id, accountId }: DomainEntity, finding: Finding): Promise<void> {
    await this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const before = await lockDomain(manager, { accountId, id });
      if (!before) return;
      const row = await saveFinding(manager, { accountId, id }, finding);
      if (row.lost && !before.lost) emit(domainAudited(serviceCaller('tenancy'), 'domain.lose', row, { finding }));
    });
  }
}
