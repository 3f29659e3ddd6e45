import { Dialog } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { Shell } from '../../pages/shell.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { expectReadInOrder, expectTabbedInOrder } from '../../support/order.ts';
import { expect, test } from '../../support/test.ts';

// As most people have it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('the keyboard leaves the terminal by a key that is shown and announced', async ({ enter, warren }) => {
  const page = await enter('member');
  await new TerminalPage(page).openReady(warren.facts.device.id);
  const typing = page.getByRole('group', { name: /^Terminal of/ }).getByRole('textbox');
  await expect(typing).toBeFocused();
  await expect(typing).toHaveAccessibleDescription('Ctrl+Shift+L leaves the terminal');
  await expect(page.getByText('Ctrl+Shift+L leaves the terminal')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(typing).toBeFocused();
  await page.keyboard.press('Control+Shift+L');
  await expect(page.getByRole('link', { name: 'Back to devices' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(typing).not.toBeFocused();
});

test('an open panel leaves the tools of the terminal usable', async ({ enter, warren }) => {
  const page = await enter('member');
  await new TerminalPage(page).openReady(warren.facts.device.id);
  await page.getByRole('button', { name: 'Device details' }).click();
  await page.getByRole('button', { name: 'Terminal settings' }).click();
  await expect(page.getByText('Screen reader support')).toBeVisible();
});

test('the palette opens its first hit by Enter; g d, / and ? work on every page', async ({ enter }) => {
  const page = await enter('superAdmin');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Go to an account, user, group, device or page').fill('Groups');
  await expect(page.locator('[data-selected]')).toContainText('Groups');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/groups/ALL');
  await expect(page.getByRole('heading', { level: 1, name: 'Groups' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Sent at once, as the second must come within a second.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('d')]);
  await expect(page).toHaveURL('/devices');
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeFocused();
  const search = page.getByRole('combobox', { name: 'Search devices' });
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

test('single keys can be switched off, and on again without one', async ({ enter }) => {
  const page = await enter('member');
  await page.goto('/');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const help = new Dialog(page, 'Keyboard shortcuts');
  const open = async () => {
    await new Shell(page).userMenu.click();
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await expect(help.root).toBeVisible();
  };
  const singleKeys = help.root.getByRole('switch', { name: 'Single-key shortcuts' });
  await open();
  await singleKeys.click();
  await expect(singleKeys).not.toBeChecked();
  await page.keyboard.press('Escape');
  await help.expectGone();
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await page.reload();
  await expect(heading).toHaveText('Home');
  await page.keyboard.press('?');
  await page.keyboard.press('Control+k');
  await expect(page.getByPlaceholder(/^Go to an account/)).toBeVisible();
  await expect(help.root).toHaveCount(0);
  await page.keyboard.press('Escape');
  await open();
  await singleKeys.click();
  await page.keyboard.press('Escape');
  await help.expectGone();
  await page.keyboard.press('?');
  await expect(help.root).toBeVisible();
});

test('a change of name is taken back from its toast', async ({ enter, estate }) => {
  const device = await estate.device('pump-house');
  const page = await enter('superAdmin');
  const list = new ListPage(page, /Devices list$/);
  await page.goto(`/devices/${estate.id}?search=${device.serial}`);
  await expect(page.getByText('1 in total')).toBeVisible();
  await list.act('pump-house', 'Change Name');
  await new Dialog(page, 'Change Hostname').field('Hostname').fill('Mill');
  await page.keyboard.press('Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  // A toast stays while the pointer is on it.
  await undo.hover();
  await expect(list.row('Mill')).toBeVisible();
  await undo.click();
  await expect(list.row('Mill')).toHaveCount(0);
  await expect(list.row('pump-house')).toBeVisible();
});

test('Home, the list and a device are read and tabbed through from top to bottom', async ({ enter, warren }) => {
  // A loaded machine takes half a second for each stop.
  test.setTimeout(480_000);
  const { account, id } = warren.facts.device;
  const page = await enter('superAdmin');
  const screens = [
    { path: '/', ready: page.getByRole('region', { name: 'Agent versions' }).getByRole('link').first() },
    { path: `/devices/${account}`, ready: page.getByRole('table').getByRole('row').nth(1) },
    { path: `/devices/${account}/${id}`, ready: page.getByRole('heading', { name: 'Recent sessions' }) },
  ];
  for (const { path, ready } of screens) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(ready).toBeVisible();
      await expect(page.locator('.mantine-Skeleton-root[data-visible=true]')).toHaveCount(0);
      await expectReadInOrder(page);
      await expectTabbedInOrder(page);
    });
  }
});
