import { expect } from '@playwright/test';
import type { Office } from '../office.ts';

interface Alert {
  id: string;
  deviceName: string;
}

/** Rules that hold at once: of devices that are away, and of those that report. */
const RULES = [
  { name: 'Away', condition: 'status=disconnected', severity: 'critical' },
  { name: 'Memory in use', condition: 'memory>1', severity: 'warning' },
  { name: 'Agent is old', condition: 'agent<9.0.0', filter: 'name~weather', severity: 'info' },
];

const CHANNELS = [
  { name: 'Farm managers', kind: 'mail', target: { addresses: ['mara@meadow.example', 'uma@meadow.example'] } },
  {
    name: 'On call',
    kind: 'webhook',
    target: { url: 'https://oncall.meadow.example/hooks/9f3c' },
    minSeverity: 'critical',
    afterMinutes: 15,
    quiet: { from: '22:00', to: '06:00', zone: 'Europe/Berlin', exceptCritical: true },
  },
];

/** Opens alerts in an account, acknowledges one, silences a device, and adds channels. */
export async function raiseAlerts(office: Office, account: string): Promise<void> {
  for (const channel of CHANNELS) await office.call('POST', '/api/notification-channels', { account, ...channel });
  const until = new Date(Date.now() + 8 * 3_600_000).toISOString();
  const silence = { account, filter: 'name~irrigation', until, reason: 'The pump is replaced' };
  await office.call('POST', '/api/alert-silences', silence);
  for (const rule of RULES)
    await office.call('POST', '/api/alert-rules', { account, kind: 'condition', minutes: 0, ...rule });
  const open = async () =>
    (await office.call<{ alerts: Alert[] }>('GET', `/api/alerts?state=open&account=${account}`)).alerts;
  await expect.poll(async () => (await open()).length, { timeout: 120_000 }).toBeGreaterThan(0);
  const ids = (await open()).slice(-1).map(({ id }) => id);
  await office.call('POST', '/api/alerts/acknowledge', { ids, note: 'Somebody is on the way' });
}
