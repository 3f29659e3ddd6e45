import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge } from 'prom-client';

const registers = [registry];

export const recordingsFollowed = new Gauge({
  name: 'warren_audit_recordings_followed',
  help: 'Sessions that this replica has claimed to record.',
  registers,
});

export const unstoredBytes = new Gauge({
  name: 'warren_audit_recordings_unstored_bytes',
  help: 'Bytes of output in flight to the store.',
  registers,
});

export const followsFailed = new Counter({
  name: 'warren_audit_recordings_interrupted_total',
  help: 'Streams of recorded sessions that broke off, by reason: the stream, the store, a full quota, the claim, or what the device sent.',
  labelNames: ['reason'] as const,
  registers,
});
for (const reason of ['stream', 'store', 'full', 'claim', 'device']) followsFailed.inc({ reason }, 0);
