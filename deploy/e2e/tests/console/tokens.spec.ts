import { request } from '@playwright/test';
import { Dialog } from '../../pages/dialog.ts';
import { getJson, socketToken, type DeviceJson } from '../../support/api.ts';
import { openSocket } from '../../support/socket.ts';
import { expect, measured, test } from '../../support/test.ts';

const REVOKED_MS = 2_000;

test('a token from the console lists, reboots and opens devices, until it is revoked', async ({ enter, warren }) => {
  const { hub, device } = warren.facts;
  const page = await enter('superAdmin');
  await page.goto('/profile');
  await page.getByRole('link', { name: 'API tokens' }).click();
  await page.getByRole('button', { name: 'New token' }).click();
  const form = new Dialog(page, 'New token');
  await form.root.getByRole('textbox', { name: 'Name' }).fill('Nightly');
  await form.root.getByLabel('Change, move, reboot and delete devices').check();
  await form.root.getByLabel('Open terminals, desktops, logs and web services').check();
  await form.confirm('Create token');
  const shown = page.getByRole('dialog', { name: 'New API token' });
  const secret = (await shown.getByText(/^wrn_/).textContent()) ?? '';
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(secret)).toBeHidden();

  const api = await request.newContext({ baseURL: hub, extraHTTPHeaders: { authorization: `Bearer ${secret}` } });
  const { devices } = await getJson<{ devices: DeviceJson[] }>(api, '/api/devices?limit=200');
  expect(devices.map(({ id }) => id)).toContain(device.id);
  expect((await api.post(`/api/devices/${device.id}/reboot`)).status()).toBe(200);
  const users = await api.get('/api/users');
  expect([users.status(), users.headers()['www-authenticate']]).toEqual([
    403,
    'Bearer realm="Warren", error="insufficient_scope", scope="users.list"',
  ]);
  await expect.poll(async () => (await api.get(`/socketsio/get_device_info/${device.id}`)).status()).toBe(200);
  const socket = await openSocket(hub, await socketToken(api, device.id));
  const socketEnds = new Promise<number>((resolve) => socket.once('disconnect', () => resolve(performance.now())));

  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Nightly' });
  await expect(row).toContainText('3 permissions');
  await expect(row).toContainText('in 90 days');
  await row.getByRole('button', { name: 'Revoke Nightly' }).click();
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await new Dialog(page, 'Revoke token').confirm('Revoke token');
  await answered;
  const from = performance.now();
  const refused = await api.get('/api/devices');
  expect([refused.status(), refused.headers()['www-authenticate']]).toEqual([
    401,
    'Bearer realm="Warren", error="invalid_token"',
  ]);
  expect(performance.now() - from).toBeLessThan(REVOKED_MS);
  const took = (await socketEnds) - from;
  measured('from the revocation of a token to the end of its terminal', took, 'ms');
  expect(took).toBeLessThan(REVOKED_MS);
  await expect(page.getByText('No API tokens')).toBeVisible();
  await api.dispose();
});
