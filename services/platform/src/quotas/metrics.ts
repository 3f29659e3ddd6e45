import { QUOTA_NAMES } from '@warren/rules/quotas';
import { Counter } from 'prom-client';
import { registry } from '../telemetry/metrics.ts';

export const quotaRefusals = new Counter({
  name: 'warren_quota_refusals_total',
  help: 'What accounts were refused since their quota is used up, by quota; of sessions, those that ended for a newer one.',
  labelNames: ['quota'] as const,
  registers: [registry],
});

for (const quota of QUOTA_NAMES) quotaRefusals.inc({ quota }, 0);
