import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

const registers = [registry];

export const presenceLag = new Histogram({
  name: 'warren_devices_presence_lag_seconds',
  help: 'From the coming or going of a link, by the clock of the replica that held it, to its being written: connected or disconnected.',
  labelNames: ['change'] as const,
  buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60],
  registers,
});
for (const change of ['connected', 'disconnected']) presenceLag.zero({ change });

export const reconciledAt = new Gauge({
  name: 'warren_devices_reconciled_timestamp_seconds',
  help: 'When this process last held the status of devices against the leases of the replicas, in seconds since 1970.',
  registers,
});

export const devicesLost = new Counter({
  name: 'warren_devices_lost_total',
  help: 'Devices that were marked as disconnected because the replica that held them died and they did not come back in time.',
  registers,
});

export const rolloutDevices = new Gauge({
  name: 'warren_devices_rollout_devices',
  help: 'Devices of rollouts that changed within a day, by what the console shows of them; the same in every replica.',
  labelNames: ['state'] as const,
  registers,
});

export const devicesKnown = new Gauge({
  name: 'warren_devices_enrolled',
  help: 'Enrolled devices by status, as the lists show them; the same in every replica.',
  labelNames: ['status'] as const,
  registers,
});

export const bulkJobsRunning = new Gauge({
  name: 'warren_devices_bulk_jobs_running',
  help: 'Bulk jobs that are not finished; the same in every replica.',
  registers,
});

export const bulkDevices = new Counter({
  name: 'warren_devices_bulk_devices_total',
  help: 'Devices on which bulk jobs have taken their action in this process, by result: done or failed.',
  labelNames: ['action', 'result'] as const,
  registers,
});
