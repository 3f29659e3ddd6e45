import type { Page } from '@playwright/test';
import { Dialog, expectFailure } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

/** A list that can't be loaded says so, and loads by itself once it can. */
async function expectFailed(page: Page, title: string): Promise<void> {
  const failure = page.getByRole('alert').filter({ hasText: title });
  await expect(failure).toBeVisible();
  await expect(failure.getByRole('button', { name: 'Try again' })).toBeVisible();
}

test('while devices is down its lists and dialogs say so, and come back by themselves', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const list = new ListPage(page, /Devices list$/);
  await page.goto(`/devices/${warren.facts.device.account}`);
  const row = list.table.locator('tbody').getByRole('row').first();
  await expect(row).toContainText('Connected');
  const name = await row.getByRole('link').first().innerText();
  await list.act(name, 'Change Name');
  await warren.hold('devices');
  const rename = new Dialog(page, 'Change Hostname');
  await rename.field('Hostname').fill('Never');
  await rename.confirm('Change name');
  await expect(rename.problem).toBeVisible();
  await page.keyboard.press('Escape');
  await rename.expectGone();
  await row.getByRole('link').first().click();
  const details = new Dialog(page, 'Device Details');
  await expect(details.root.getByRole('alert')).toContainText('Failed to fetch device details');

  const another = await enter('superAdmin');
  await another.goto('/devices');
  await expectFailed(another, 'Devices could not be loaded.');
  await warren.start('devices');
  await expect(new ListPage(another, /Devices list$/).row(name)).toBeVisible();
  await expect(details.root).toContainText(name);
});

test('lists report that tenancy is down, and recover in place', SOAK, async ({ enter, estate, warren }) => {
  const { email } = await estate.invite('ira');
  const page = await enter('superAdmin');
  await page.goto(`/users/${estate.id}`);
  const pending = new ListPage(page, 'Pending invitations');
  await expect(pending.row(email)).toBeVisible();
  await warren.hold('tenancy');
  await pending.button(`Resend invitation to ${email}`).click();
  await expectFailure(page, /./);
  // The next toast appears beside it, or after it has gone.
  const alert = page.getByRole('alert');
  const first = await alert.first().getAttribute('id');
  await pending.button(`Cancel invitation of ${email}`).click();
  await new Dialog(page, 'Cancel invitation').confirm('Cancel invitation');
  await expect(alert.last()).not.toHaveAttribute('id', first ?? '');

  const another = await enter('superAdmin');
  await another.goto('/accounts');
  // In place of the page, or, while the gateway still knows the member, of its list.
  await expect(another.getByText(/hub does not answer/).first()).toBeVisible();
  await warren.start('tenancy');
  await expect(new ListPage(another, 'Accounts Directory').table).toBeVisible();
  await expect(pending.row(email)).toBeVisible();
});
