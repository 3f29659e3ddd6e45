import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge } from 'prom-client';

const registers = [registry];

export const samplesStored = new Counter({
  name: 'warren_fleet_samples_stored_total',
  help: 'Samples of devices that were stored, those that came twice included.',
  registers,
});

export const samplesDropped = new Counter({
  name: 'warren_fleet_samples_dropped_total',
  help: 'Samples of devices that were left out: older than a day, or of the future.',
  registers,
});

export const historyKept = new Gauge({
  name: 'warren_fleet_history_kept_timestamp_seconds',
  help: 'When this process last saw all samples summed up that are due, in seconds since 1970.',
  registers,
});
