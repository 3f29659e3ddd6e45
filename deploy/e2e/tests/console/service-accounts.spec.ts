import { request } from '@playwright/test';
import { Dialog } from '../../pages/dialog.ts';
import { getJson, socketToken, type DeviceJson } from '../../support/api.ts';
import { connectPumpHouse } from '../../support/connected.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, measured, test } from '../../support/test.ts';

const PROMISED_MS = 2_000;

test('a token of a service account opens what a grant allows, until the service account is disabled', async ({
  enter,
  estate,
  warren,
}) => {
  test.setTimeout(180_000);
  const { hub } = warren.facts;
  const admin = await estate.user('Ada Field', 'Admins');
  const boss = await enter('superAdmin');
  const { agent, id } = await connectPumpHouse(boss.request, hub, estate);
  try {
    const page = await enter(admin.email);
    await page.goto(`/service-accounts/${estate.id}`);
    await page.getByRole('button', { name: 'New service account' }).click();
    const form = new Dialog(page, 'New service account');
    await form.root.getByRole('textbox', { name: 'Name' }).fill('CI runner');
    await form.confirm('Create service account');
    const row = page.getByRole('row').filter({ hasText: 'CI runner' });
    await row.getByRole('button', { name: 'Actions for CI runner' }).click();
    await page.getByRole('menuitem', { name: 'New token' }).click();
    const token = new Dialog(page, 'New token');
    await token.root.getByRole('textbox', { name: 'Name' }).fill('Nightly');
    await expect(token.root.getByLabel('Read users')).toBeHidden();
    await token.root.getByLabel('Open terminals, desktops, logs and web services').check();
    await token.confirm('Create token');
    const secret = (await page.getByRole('dialog').getByText(/^wrn_/).textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).click();

    const api = await request.newContext({ baseURL: hub, extraHTTPHeaders: { authorization: `Bearer ${secret}` } });
    const found = async () => (await getJson<{ devices: DeviceJson[] }>(api, '/api/devices')).devices;
    expect((await found()).map((one) => one.id)).toEqual([id]);
    expect((await api.get('/api/users')).status()).toBe(403);
    const change = (path: string, data: object, method: 'post' | 'put') =>
      page.request[method](`/api/accounts/${estate.id}/${path}`, { data, headers: { origin: hub } });
    await change('access', { mode: 'explicit' }, 'put');
    expect(await found()).toEqual([]);
    const { service_accounts: made } = await getJson<{ service_accounts: { id: string }[] }>(
      page.request,
      `/api/accounts/${estate.id}/service_accounts`,
    );
    const subject = { kind: 'service_account', id: made[0]?.id };
    await change('grants', { subject, permissions: ['view', 'terminal'] }, 'post');
    await page.goto(`/devices/${estate.id}/${id}`);
    await page.getByRole('button', { name: 'Show who can reach this device' }).click();
    const reach = page.getByRole('table', { name: 'Who can reach this device' });
    await expect(reach.getByRole('row').filter({ hasText: 'CI runner (service account)' })).toContainText(
      'Allowed by grant: CI runner, All devices',
    );
    const socket = await openSocket(hub, await socketToken(api, id));
    const socketEnds = new Promise<number>((resolve) => socket.once('disconnect', () => resolve(performance.now())));

    await page.goto(`/service-accounts/${estate.id}`);
    await row.getByRole('button', { name: 'Actions for CI runner' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = new Dialog(page, 'Edit service account');
    await edit.root.getByRole('switch', { name: /^Active/ }).click();
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    await edit.confirm('Save service account');
    await answered;
    const from = performance.now();
    expect((await api.get('/api/devices')).status()).toBe(401);
    expect(performance.now() - from).toBeLessThan(PROMISED_MS);
    const took = (await socketEnds) - from;
    measured('from disabling a service account to the end of its terminal', took, 'ms');
    expect(took).toBeLessThan(PROMISED_MS);
    await expect(row).toContainText('Disabled');
    await api.dispose();

    await expect(async () => {
      await page.goto(`/audit?${new URLSearchParams({ search: 'CI runner (Nightly)' })}`);
      const listed = page.getByRole('listitem').filter({ hasText: 'CI runner (Nightly)' });
      await expect(listed.filter({ hasText: 'Issue socket token' }).first()).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 30_000 });
  } finally {
    await agent.remove();
  }
});
