import { createWarrenClient, dataOf, WarrenError } from '@warren/client';
import { Dialog } from '../../pages/dialog.ts';
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

  const api = createWarrenClient({ hub, token: secret });
  const at = { params: { path: { id: device.id } } };
  const { devices } = await dataOf(api.GET('/api/devices', { params: { query: { limit: 200 } } }));
  expect(devices.map(({ id }) => id)).toContain(device.id);
  await dataOf(api.POST('/api/devices/{id}/reboot', at));
  const users = await api.GET('/api/users');
  expect([users.response.status, users.error?.code, users.response.headers.get('www-authenticate')]).toEqual([
    403,
    'permission_denied',
    'Bearer realm="Warren", error="insufficient_scope", scope="users.list"',
  ]);
  await expect(dataOf(Promise.resolve(users))).rejects.toBeInstanceOf(WarrenError);
  await expect.poll(async () => (await api.GET('/socketsio/get_device_info/{id}', at)).response.status).toBe(200);
  const socket = await openSocket(hub, await dataOf(api.GET('/api/get-socket-token/{id}', at)));
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
  const { response: refused } = await api.GET('/api/devices');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="Warren", error="invalid_token"',
  ]);
  expect(performance.now() - from).toBeLessThan(REVOKED_MS);
  const took = (await socketEnds) - from;
  measured('from the revocation of a token to the end of its terminal', took, 'ms');
  expect(took).toBeLessThan(REVOKED_MS);
  await expect(page.getByText('No API tokens')).toBeVisible();
});
