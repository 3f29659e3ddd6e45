import { registry } from '@warren/platform/telemetry/metrics';
import { CHANNEL_KINDS } from '@warren/rules/channels';
import { Counter, Gauge, Histogram } from 'prom-client';

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

export const remoteWriteSamples = new Counter({
  name: 'warren_fleet_remote_write_samples_total',
  help: 'Samples of devices for the metrics store, by result: sent, refused by it, late (older than half an hour), skipped (duplicate, or of a deleted device), full (dropped by a full queue), lost (at a stop or by an error).',
  labelNames: ['result'] as const,
  registers,
});

// From the start, so that the first one has a rate.
for (const result of ['sent', 'refused', 'late', 'skipped', 'full', 'lost']) remoteWriteSamples.inc({ result }, 0);

export const remoteWriteQueue = new Gauge({
  name: 'warren_fleet_remote_write_queue_bytes',
  help: 'Memory of the samples that wait for the metrics store.',
  registers,
});

export const remoteWriteFailingSince = new Gauge({
  name: 'warren_fleet_remote_write_failing_since_timestamp_seconds',
  help: 'When samples began to wait because the metrics store, or the devices service with the names of devices, does not answer or fails, in seconds since 1970; 0 while both answer or nothing waits.',
  registers,
});

export const alertsOpen = new Gauge({
  name: 'warren_fleet_alerts_open',
  help: 'Open alerts of all accounts, by severity; the same in each process.',
  labelNames: ['severity'],
  registers,
});

export const alertsEvaluated = new Gauge({
  name: 'warren_fleet_alerts_evaluated_timestamp_seconds',
  help: 'When the conditions of all alert rules were last looked at, in seconds since 1970; the same in each process.',
  registers,
});

export const alertPassDuration = new Histogram({
  name: 'warren_fleet_alert_pass_duration_seconds',
  help: 'How long it takes to look at the conditions of all alert rules.',
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
  registers,
});

export const alertPassFailures = new Counter({
  name: 'warren_fleet_alert_pass_failures_total',
  help: 'Passes over the conditions of alert rules that failed: alerts stayed as they were.',
  registers,
});

export const notificationAttempts = new Counter({
  name: 'warren_fleet_notification_attempts_total',
  help: 'Attempts to deliver a notification, by kind of channel and result: delivered, or failed.',
  labelNames: ['kind', 'result'] as const,
  registers,
});

// From the start, so that the first attempt has a rate.
for (const kind of CHANNEL_KINDS)
  for (const result of ['delivered', 'failed']) notificationAttempts.inc({ kind, result }, 0);

export const notificationsWaiting = new Gauge({
  name: 'warren_fleet_notifications_waiting',
  help: 'Notifications that are not delivered yet; the same in every replica.',
  registers,
});

export const notificationsOldest = new Gauge({
  name: 'warren_fleet_notifications_oldest_seconds',
  help: 'Age of the oldest notification that is not delivered yet, 0 when none waits; the same in every replica.',
  registers,
});

export const notificationsOverdue = new Gauge({
  name: 'warren_fleet_notifications_overdue_seconds',
  help: 'How long an attempt to deliver has been due, or a change of alerts has waited to become a notification; the same in every replica.',
  registers,
});

export const notificationsFailed = new Gauge({
  name: 'warren_fleet_notifications_failed',
  help: 'Notifications of the last day whose attempts all failed; the same in every replica.',
  registers,
});
