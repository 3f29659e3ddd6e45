import { QUOTA_NAMES } from '@warren/rules/quotas';
import { Counter, Gauge } from 'prom-client';
import { registry } from '../telemetry/metrics.ts';

export const quotaRefusals = new Counter({
  name: 'warren_quota_refusals_total',
  help: 'What accounts were refused since their quota is used up, by quota; of sessions, those that ended for a newer one.',
  labelNames: ['quota'] as const,
  registers: [registry],
});

for (const quota of QUOTA_NAMES) quotaRefusals.inc({ quota }, 0);

export const accountsNearQuota = new Gauge({
  name: 'warren_accounts_near_quota',
  help: 'Accounts that use at least this share of a quota, by quota and share (0.8 or 1); devices by the devices service, users by tenancy, the same in every replica.',
  labelNames: ['quota', 'share'] as const,
  registers: [registry],
});
