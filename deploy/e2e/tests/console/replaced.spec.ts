import type { Page } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import { expect, test } from '../../support/test.ts';

// A hub that has a newer console no longer has the parts of the one that is open.

const notice = 'The console was updated. Reload the page to continue.';
const part = (name: string) => `**/assets/${name}-*.js`;

async function takeAway(page: Page, name: string): Promise<void> {
  await page.route(part(name), (route) => route.fulfill({ status: 404, body: '' }));
}

/** Counts the page's reloads. */
function loads(page: Page): () => number {
  let count = 0;
  page.on('load', () => count++);
  return () => count;
}

test('a page whose chunk is gone reloads once, at the address of the navigation', async ({ enter }) => {
  const page = await enter('superAdmin');
  await page.goto('/');
  await takeAway(page, 'SettingsPage');
  const loaded = loads(page);
  await new Shell(page).navigation.getByRole('link', { name: 'Settings' }).click({ timeout: 30_000 });
  await expect.poll(loaded).toBe(1);
  // Still not there: it says so, instead of trying for ever.
  await expect(page.getByRole('heading', { name: notice })).toBeVisible();
  await expect(page).toHaveURL('/settings');
  expect(loaded()).toBe(1);
  await page.unroute(part('SettingsPage'));
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('what was typed stays, and the reader decides when to reload', async ({ enter }) => {
  const page = await enter('member');
  await page.goto('/profile');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Not saved yet');
  await takeAway(page, 'Palette');
  const loaded = loads(page);
  await page.keyboard.press('Control+k');
  const alert = page.getByRole('alert').filter({ hasText: notice });
  await expect(alert).toBeVisible();
  await expect(name).toHaveValue('Not saved yet');
  expect(loaded()).toBe(0);
  await alert.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(loaded).toBe(1);
  await expect(name).not.toHaveValue('Not saved yet');
});
