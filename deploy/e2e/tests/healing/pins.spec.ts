import type { Page } from '@playwright/test';
import { endTerminals, getJson } from '../../support/api.ts';
import { violations } from '../../support/axe.ts';
import { expect, test } from '../../support/test.ts';

const NAME = 'nightly build';

/** The list of one's own terminals, opened from the bar of a terminal. */
async function openList(page: Page) {
  await page.getByRole('button', { name: 'Your terminals' }).click();
  return page.getByRole('dialog', { name: 'Your terminals' });
}

test('a terminal has its name and its pin again when the agent was killed', async ({ as, warren }) => {
  const page = await as('superAdmin');
  const { hub, device } = warren.facts;
  await endTerminals(page.request, hub, device.id);
  await page.goto(`/devices/${device.account}/${device.id}?tab=terminal`);
  const connected = page.locator('[data-view="terminal-1"] [role=status][data-state=connected]');
  await expect(connected).toBeVisible();
  const tab = page
    .getByRole('navigation', { name: 'Views of the device' })
    .getByRole('link', { name: /^nightly build/ });

  const list = await openList(page);
  await list.getByRole('button', { name: /^Rename / }).click();
  const field = list.getByRole('textbox', { name: 'Name of the terminal' });
  await expect(field).toBeFocused();
  await page.keyboard.type('left out');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
  await list.getByRole('button', { name: /^Rename / }).press('Enter');
  await page.keyboard.type(NAME);
  await page.keyboard.press('Enter');
  const row = list.getByRole('listitem', { name: NAME });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: `Pin ${NAME}` }).click();
  await expect(row).toContainText('Kept while detached for 7 days');
  await expect(list).toContainText(/Your terminals use .* of memory\. .* 128 MiB/);
  // A tooltip is no part of the page.
  await page.mouse.move(0, 0);
  await expect.poll(() => violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(tab).toBeVisible();

  await warren.hold('agent');
  await expect(connected).toHaveCount(0);
  await warren.start('agent');
  await expect(connected).toBeVisible();
  await page.goto(`/devices/${device.account}/${device.id}`);
  const listed = () => getJson<{ terminals: object[] }>(page.request, `/api/devices/${device.id}/terminals`);
  const kept = { name: NAME, pin_days: 7, attached: 'No' };
  await expect.poll(async () => (await listed()).terminals).toEqual([expect.objectContaining(kept)]);

  await page.goto(`/devices/${device.account}/${device.id}?tab=terminal`);
  await expect(tab).toBeVisible();
  const again = await openList(page);
  await again.getByRole('button', { name: `Unpin ${NAME}` }).click();
  await expect(again.getByRole('button', { name: `Pin ${NAME}` })).toBeVisible();
  await endTerminals(page.request, hub, device.id);
});

test('what the account allows bounds pins at once', async ({ as, warren }) => {
  const page = await as('superAdmin');
  const { hub, device } = warren.facts;
  await endTerminals(page.request, hub, device.id);
  await page.goto(`/device/ssh/${device.id}`);
  await expect(page.locator('[role=status][data-state=connected]')).toBeVisible();
  const list = () => getJson<{ terminals: { session: string; pin_days: number }[] }>(page.request, path);
  const path = `/api/devices/${device.id}/terminals`;
  const headers = { origin: hub };
  const [one] = (await list()).terminals;
  const pin = (days: number) => page.request.patch(`${path}/${one?.session}`, { headers, data: { pin_days: days } });
  expect((await pin(7)).status()).toBe(200);
  expect((await pin(8)).status()).toBe(400);
  const rules = `/api/accounts/${device.account}/access/rules`;
  const { approver_group_name: _name, ...before } = await getJson<Record<string, unknown>>(page.request, rules);
  const allow = async (days: unknown) => {
    const answer = await page.request.put(rules, { headers, data: { ...before, terminal_pin_days: days } });
    expect(answer.status()).toBe(200);
  };
  await allow(0);
  await expect.poll(async () => (await list()).terminals[0]?.pin_days).toBe(0);
  expect((await pin(1)).status()).toBe(400);
  await allow(before['terminal_pin_days']);
  await endTerminals(page.request, hub, device.id);
});
