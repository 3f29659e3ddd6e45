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
