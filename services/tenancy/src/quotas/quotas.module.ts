import { Module, type DynamicModule } from '@nestjs/common';
import { quotaDefaults } from '@warren/platform/config/quotas';
import { QuotaCensus } from '@warren/platform/quotas/quota.census';
import type { QuotaLimits, QuotaName } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import type { TenancyConfig } from '../config.ts';
import { QUOTA_DEFAULTS } from './quota.defaults.ts';
import { QuotasService } from './quotas.service.ts';
import { TRAFFIC_USES } from './traffic.ts';
import { UsersQuota } from './users.quota.ts';

/** Users and pending invitations of each account. */
const USERS_USES = `
  SELECT account_id, count(*) AS n FROM (
    SELECT account_id FROM users UNION ALL SELECT account_id FROM invitations WHERE expires > now()
  ) people GROUP BY account_id`;

/** Injects the census of accounts near a quota. */
export const censusOf = (quota: QuotaName) => `quota-census:${quota}`;

function census(quota: QuotaName, uses: string) {
  return {
    provide: censusOf(quota),
    useFactory: (source: DataSource, defaults: QuotaLimits) => new QuotaCensus(source, quota, defaults, uses),
    inject: [DataSource, QUOTA_DEFAULTS],
  };
}

/** The quotas of accounts. */
@Module({})
export class QuotasModule {
  static forRoot(config: TenancyConfig): DynamicModule {
    return {
      module: QuotasModule,
      global: true,
      providers: [
        { provide: QUOTA_DEFAULTS, useValue: quotaDefaults(config) },
        QuotasService,
        UsersQuota,
        census('users', USERS_USES),
        census('traffic', TRAFFIC_USES),
      ],
      exports: [QUOTA_DEFAULTS, QuotasService, UsersQuota],
    };
  }
}
