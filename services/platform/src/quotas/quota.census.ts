import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { NEARLY_FULL, type QuotaLimits, type QuotaName } from '@warren/rules/quotas';
import type { DataSource } from 'typeorm';
import { Rounds } from '../service/rounds.ts';
import { accountsNearQuota } from './metrics.ts';
import { countNearQuota } from './quota.census.sql.ts';

const EVERY_MS = 60_000;

/** Counts the accounts near a quota now and then, for a metric. */
export class QuotaCensus implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: QuotaCensus.name,
    everyMs: EVERY_MS,
    failed: 'Accounts near their quotas are not counted',
    round: () => this.count(),
  });

  /** @param uses SQL: `account_id` and `n`, how much each account uses; without those that use nothing */
  constructor(
    private readonly source: DataSource,
    private readonly quota: QuotaName,
    private readonly defaults: QuotaLimits,
    private readonly uses: string,
  ) {}

  onApplicationBootstrap(): void {
    void this.rounds.now();
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  async count(): Promise<void> {
    const { quota, uses, defaults } = this;
    const { nearly, full } = await countNearQuota(this.source, {
      quota,
      uses,
      most: defaults[quota],
      share: NEARLY_FULL,
    });
    accountsNearQuota.set({ quota, share: '0.8' }, nearly);
    accountsNearQuota.set({ quota, share: '1' }, full);
  }
}
