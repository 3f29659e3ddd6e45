import { QuotaCensus } from '@warren/platform/quotas/quota.census';
import type { QuotaLimits } from '@warren/rules/quotas';
import { DataSource } from 'typeorm';
import { QUOTA_DEFAULTS } from './devices.quota.ts';

const USES = 'SELECT account_id, count(*) AS n FROM devices GROUP BY account_id';

/** Provides the count of accounts that are near their quota of devices. */
export const DEVICES_CENSUS = {
  provide: QuotaCensus,
  useFactory: (source: DataSource, defaults: QuotaLimits) => new QuotaCensus(source, 'devices', defaults, USES),
  inject: [DataSource, QUOTA_DEFAULTS],
};
