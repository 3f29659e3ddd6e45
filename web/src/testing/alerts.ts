import type { Alert, AlertRule, AlertSilence, Notification, NotificationChannel } from '../lib/api/types.ts';
import { ACCOUNT } from './people.ts';

/** An open alert of the usual device, changed as a test needs. */
export const alert = (change: Partial<Alert> = {}): Alert => ({
  id: 'al1',
  ruleId: 'r1',
  ruleName: 'Offline',
  kind: 'offline',
  severity: 'critical',
  accountId: ACCOUNT,
  accountName: 'Northwind',
  deviceId: 'd1',
  deviceName: 'Greenhouse',
  detail: 'Disconnected since 10:00',
  state: 'open',
  openedAt: '2026-03-04T10:00:00.000Z',
  silenced: false,
  ...change,
});

export const rule = (change: Partial<AlertRule> = {}): AlertRule => ({
  id: 'r1',
  accountId: ACCOUNT,
  accountName: 'Northwind',
  name: 'Offline',
  kind: 'offline',
  filter: '',
  condition: '',
  minutes: 10,
  days: 0,
  times: 0,
  severity: 'critical',
  enabled: true,
  preset: 'offline',
  openAlerts: 0,
  createdAt: '2026-03-04T10:00:00.000Z',
  updatedAt: '2026-03-04T10:00:00.000Z',
  ...change,
});

export const silence = (change: Partial<AlertSilence> = {}): AlertSilence => ({
  id: 's1',
  accountId: ACCOUNT,
  accountName: 'Northwind',
  filter: 'site=north',
  until: '2026-03-04T12:00:00.000Z',
  reason: 'The pump house moves',
  createdBy: 'ada@example.org',
  createdAt: '2026-03-04T10:00:00.000Z',
  ...change,
});

export const channel = (change: Partial<NotificationChannel> = {}): NotificationChannel => ({
  id: 'c1',
  accountId: ACCOUNT,
  name: 'On call',
  kind: 'webhook',
  target: { url: 'https://hooks.example.org/…9f3c' },
  minSeverity: 'warning',
  afterMinutes: 0,
  recovery: true,
  enabled: true,
  quiet: null,
  lastSuccess: null,
  lastFailure: null,
  lastError: null,
  ...change,
});

export const notification = (change: Partial<Notification> = {}): Notification => ({
  id: 'n1',
  accountId: ACCOUNT,
  channelId: 'c1',
  channelName: 'On call',
  state: 'failed',
  title: 'Offline: 3 devices',
  severity: 'critical',
  createdAt: '2026-03-04T10:00:00.000Z',
  attempts: 5,
  lastError: 'The receiver answered 503.',
  nextAttempt: null,
  deliveredAt: null,
  ...change,
});
