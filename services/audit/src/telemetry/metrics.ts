import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

const registers = [registry];

export const eventsRecorded = new Counter({
  name: 'warren_audit_events_recorded_total',
  help: 'Audit events that were stored, those that came twice left out.',
  registers,
});

export const recordingSeconds = new Histogram({
  name: 'warren_audit_recording_seconds',
  help: 'How long it takes to store a batch of audit events.',
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers,
});

export const chainsBroken = new Gauge({
  name: 'warren_audit_chains_broken',
  help: 'Accounts in whose audit events the last verification found a removed or changed one.',
  registers,
});

export const chainsVerified = new Gauge({
  name: 'warren_audit_verified_timestamp_seconds',
  help: 'When a process last finished verifying the chains of all accounts, in seconds since 1970; the same in each process.',
  registers,
});

export const retentionApplied = new Gauge({
  name: 'warren_audit_retention_timestamp_seconds',
  help: 'When events past their retention were last removed, in seconds since 1970.',
  registers,
});

export const streamDeliveries = new Counter({
  name: 'warren_audit_stream_deliveries_total',
  help: 'Batches of audit events that were sent to receivers of streams, by outcome.',
  labelNames: ['outcome'] as const,
  registers,
});
for (const outcome of ['delivered', 'failed']) streamDeliveries.inc({ outcome }, 0);

export const streamEvents = new Counter({
  name: 'warren_audit_stream_events_total',
  help: 'Audit events that receivers of streams took.',
  registers,
});

export const streamGaps = new Counter({
  name: 'warren_audit_stream_skipped_total',
  help: 'Audit events that retention removed before a stream had delivered them.',
  registers,
});

export const streamsFailing = new Gauge({
  name: 'warren_audit_streams_failing',
  help: 'Enabled streams of audit events whose last delivery failed; the same in each process.',
  registers,
});

export const streamFailingSeconds = new Gauge({
  name: 'warren_audit_stream_failing_seconds',
  help: 'For how long the enabled stream of audit events that fails for the longest has failed; the same in each process.',
  registers,
});
