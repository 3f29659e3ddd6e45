import type { Page } from '@playwright/test';
import { DevicesPage } from '../../pages/devices.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { device as deviceOf } from '../../support/api.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';
import type { ProcessName } from '../../stack/facts.ts';

const bound = 20_000;
const killed: ProcessName[] = [
  'gateway',
  'identity',
  'tenancy',
  'devices',
  'fleet',
  'audit',
  'tunnels',
  'nats',
  'redis',
  'postgres',
];

/** The services behind the gateway start and call one another in one way; devices stands for them. */
const soak = soakBut('gateway', 'devices', 'tunnels', 'nats', 'redis', 'postgres');

/** Whether a person gets through: the session, the list with the device on, a token for its shell. */
async function works({ request }: Page, device: string): Promise<string> {
  const timeout = 5000;
  try {
    const session = await request.get('/auth/saml/getsession', { timeout });
    const list = await request.get(`/api/devices/${device}`, { timeout });
    const token = await request.get(`/api/get-socket-token/${device}?purpose=terminal`, { timeout });
    const statuses = [session, list, token].map((response) => response.status()).join();
    if (statuses !== '200,200,200') return statuses;
    const { result } = (await list.json()) as { result: { status: string } };
    const { device_sid } = (await token.json()) as { device_sid: string };
    return device_sid ? result.status : 'no connection';
  } catch (error) {
    return String(error);
  }
}

for (const name of killed) {
  test(`after kill -9 of ${name} the console works again by itself`, soak(name), async ({ as, warren }) => {
    const { id, account } = warren.facts.device;
    const page = await as('superAdmin');
    const list = new DevicesPage(page);
    const { name: device } = await deviceOf(page.request, id);
    await expect(await list.only(account, device)).toContainText('Connected');
    const before = await warren.pids();

    const since = Date.now();
    await warren.kill(name);
    await warren.ready(name);
    await expect.poll(() => works(page, id), { timeout: bound, intervals: [100] }).toBe('Connected');
    measured(`${name} killed, to the API whole again`, Date.now() - since, 'ms');

    const after = await warren.pids();
    expect(after[name]).not.toBe(before[name]);
    expect({ ...after, [name]: 0 }).toEqual({ ...before, [name]: 0 });

    const terminal = new TerminalPage(page);
    await terminal.openReady(id);
    await terminal.run('echo $((6*7))');
    await terminal.expectLine('42');

    // Changes reach the page again, too.
    const row = await list.only(account, device);
    await expect(row.getByText('Connected', { exact: true })).toBeVisible();
    await warren.hold('agent');
    // The first word lasts for seconds only.
    await expect(row).toContainText(/Reconnecting|Disconnected/);
    await warren.start('agent');
    await expect(row.getByText('Connected', { exact: true })).toBeVisible();
  });
}
