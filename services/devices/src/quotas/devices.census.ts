import { QuotaCensus } from '@warren/platform/quotas/quota.census';
import type { QuotaLimits } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import { QUOTA_DEFAULTS } from './devices.quota.ts';
import { DEVICES_OF_ACCOUNTS } from './quotas.sql.ts';

/** Provides the count of accounts that are near their quota of devices. */
export const DEVICES_CENSUS = {
  provide: QuotaCensus,
  useFactory: (source: DataSource, defaults: QuotaLimits) =>
    new QuotaCensus(source, 'devices', defaults, DEVICES_OF_ACCOUNTS),
  inject: [DataSource, QUOTA_DEFAULTS],
};
