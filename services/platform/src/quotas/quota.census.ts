import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { NEARLY_FULL, type QuotaLimits, type QuotaName } from '@warren/rules/quotas';
import type { DataSource } from 'typeorm';
import { Rounds } from '../service/rounds.ts';
import { accountsNearQuota } from './metrics.ts';

const EVERY_MS = 60_000;

interface Counted {
  nearly: number;
  full: number;
}

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
    const [counted] = await this.source.query<Counted[]>(
      `SELECT count(*) FILTER (WHERE u.n >= $3::numeric * a.most)::int AS nearly, count(*) FILTER (WHERE u.n >= a.most)::int AS full
       FROM (
         SELECT id, CASE WHEN quotas ? $1 THEN (quotas ->> $1)::bigint ELSE $2::bigint END AS most
         FROM accounts WHERE NOT operator
       ) a JOIN (${this.uses}) u ON u.account_id = a.id
       WHERE a.most IS NOT NULL`,
      [this.quota, this.defaults[this.quota], NEARLY_FULL],
    );
    const { quota } = this;
    accountsNearQuota.set({ quota, share: '0.8' }, counted?.nearly ?? 0);
    accountsNearQuota.set({ quota, share: '1' }, counted?.full ?? 0);
  }
}
