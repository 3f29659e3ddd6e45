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
