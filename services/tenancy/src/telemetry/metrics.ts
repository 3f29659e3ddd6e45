import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge } from 'prom-client';

const registers = [registry];

export const mailsTotal = new Counter({
  name: 'warren_tenancy_mails_total',
  help: 'Tries to send a mail, by result: sent, or failed (the mail is tried again).',
  labelNames: ['result'] as const,
  registers,
});

for (const result of ['sent', 'failed']) mailsTotal.inc({ result }, 0);

export const mailsWaiting = new Gauge({
  name: 'warren_tenancy_mails_waiting',
  help: 'Mails that are due and not sent yet, those that are tried again among them; the same in every replica.',
  registers,
});

/** The steps of an access request, as in the audit trail. */
const STEPS = ['create', 'approve', 'deny', 'withdraw', 'expire'] as const;

export const accessRequests = new Counter({
  name: 'warren_tenancy_access_requests_total',
  help: 'Steps of access requests: create, approve (each of two approvals), deny, withdraw, or expire because nobody decided.',
  labelNames: ['step'] as const,
  registers,
});

for (const step of STEPS) accessRequests.inc({ step }, 0);

export const accessRequestsOpen = new Gauge({
  name: 'warren_tenancy_access_requests_open',
  help: 'Access requests that nobody has decided yet; the same in every replica.',
  registers,
});

export const accessRequestsOldest = new Gauge({
  name: 'warren_tenancy_access_requests_oldest_seconds',
  help: 'For how long the oldest open access request has waited, 0 if there is none; the same in every replica.',
  registers,
});

export const backupSucceeded = new Gauge({
  name: 'warren_backup_last_success_timestamp_seconds',
  help: 'When the last verified backup of the database was made, 0 if never. Not there if BACKUP_MAX_AGE_HOURS is 0.',
  registers,
});

export const backupDue = new Gauge({
  name: 'warren_backup_due_timestamp_seconds',
  help: 'When the last verified backup is too old, or, if there was never one, its absence. Not there if BACKUP_MAX_AGE_HOURS is 0.',
  registers,
});

// A new gauge is 0, which would mean a backup that was due in 1970.
for (const gauge of [backupSucceeded, backupDue]) gauge.remove();
