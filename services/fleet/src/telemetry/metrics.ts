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

export const notificationAttempts = new Counter({
  name: 'warren_fleet_notification_attempts_total',
  help: 'Attempts to deliver a notification, by kind of channel and result: delivered, or failed.',
  labelNames: ['kind', 'result'] as const,
  registers,
});

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

export const notificationsFailed = new Gauge({
  name: 'warren_fleet_notifications_failed',
  help: 'Notifications of the last day whose attempts all failed; the same in every replica.',
  registers,
});
