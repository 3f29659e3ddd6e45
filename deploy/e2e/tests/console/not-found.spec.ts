import { SOAK } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

const nowhere = '01997b5c-2f4e-7d3a-9c51-00000000dead';

test('a missing page says so in words, without an id and without a useless button', async ({ enter, estate }) => {
  const page = await enter('superAdmin');
  const chosen = page.getByRole('combobox', { name: 'Account' });
  await page.goto(`/users/${estate.id}`);
  await expect(chosen).toHaveValue(estate.name);
  for (const id of ['garbage', nowhere]) {
    for (const [path, heading] of [
      [`/devices/${id}`, 'There is no such account.'],
      [`/users/${id}`, 'There is no such account.'],
      [`/groups/${id}`, 'There is no such account.'],
      [`/accounts/${id}`, 'There is no such account.'],
      [`/users/${estate.id}/${id}`, 'There is no such user.'],
      [`/groups/${estate.id}/${id}`, 'There is no such group.'],
      [`/device/ssh/${id}`, 'Failed to fetch device details'],
      [`/device/rdp/${id}`, 'Failed to fetch device details'],
      [`/api/webssh/ssh/host/?id=${id}`, 'Failed to fetch device details'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading }), path).toBeVisible();
      await expect(page.locator('main')).not.toContainText(id);
      await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    }
  }
  // The existing account is remembered, and none of the others.
  await page.goto('/');
  await expect(chosen).toHaveValue(estate.name);
});

test('each notice says what to do', SOAK, async ({ enter, page }) => {
  const active = await enter('member');
  await active.goto('/account_disable');
  await expect(active.getByRole('heading', { name: 'Your account is active' })).toBeVisible();
  await active.getByRole('link', { name: 'HOME' }).click();
  await expect(active).toHaveURL('/');
  await page.goto('/signup-user');
  await expect(page.getByRole('heading', { name: 'To sign up, you need an invitation' })).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('a console that is off says who enables it, and lets them', async ({ enter, estate, office }) => {
  const device = await estate.device('kiosk');
  await office.call('PUT', `/tunnel/device/ssh/disable/${device.id}/${device.serial}`);
  const page = await enter('superAdmin');
  await page.goto(`/device/ssh/${device.id}`);
  await page.getByRole('button', { name: 'Enable Console' }).click();
  await expect(page.getByRole('group', { name: 'Terminal of kiosk' })).toBeVisible();
});
