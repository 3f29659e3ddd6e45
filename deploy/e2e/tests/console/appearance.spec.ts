import { DevicesPage } from '../../pages/devices.ts';
import { Shell } from '../../pages/shell.ts';
import { TerminalPage } from '../../pages/terminal.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };

test('dark and light by choice, kept over a reload', async ({ as }) => {
  const page = await as('member', { colorScheme: 'light' });
  const shell = new Shell(page);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await shell.expectScheme('light');
  const light = await background();
  await shell.chooseScheme('Dark');
  await shell.expectScheme('dark');
  expect(await background()).not.toBe(light);
  await page.reload();
  await shell.expectScheme('dark');
  await shell.chooseScheme('Light');
  await shell.expectScheme('light');
  expect(await background()).toBe(light);
});

test('without a choice the system’s scheme counts', SOAK, async ({ as }) => {
  const page = await as('member', { colorScheme: 'dark' });
  await new Shell(page).expectScheme('dark');
});

test(
  "a page's name stands once: in its heading, and in the top bar while that is scrolled away",
  SOAK,
  async ({ enter }) => {
    const page = await enter('superAdmin', { viewport: { width: 1024, height: 240 } });
    for (const [path, heading, name] of [
      ['/', 'Home', 'Home'],
      ['/accounts', 'Accounts Directory', 'Accounts'],
      ['/users', 'Users directory', 'Users'],
      ['/devices', 'ALL Accounts / Devices list', 'Devices'],
      ['/updates', 'Updates', 'Updates'],
      ['/profile', 'Edit Profile', 'Edit Profile'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeInViewport();
      const bar = page.getByRole('banner').getByText(name, { exact: true });
      await expect(bar).toBeHidden();
      await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).not.toContainText(name);
    }
    const name = page.getByRole('banner').getByText('Edit Profile', { exact: true });
    // Turned again while the page is still too short to scroll.
    await expect(async () => {
      await page.mouse.wheel(0, 400);
      await expect(name).toBeVisible({ timeout: 1_000 });
    }).toPass();
  },
);

test('a row copies an address where the pointer or the focus is', async ({ enter, estate }) => {
  const user = await estate.user('Lea Reed');
  const page = await enter('superAdmin');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/users/${estate.id}?search=${user.email}`);
  const row = page.getByRole('row').filter({ hasText: user.email });
  const copy = row.getByRole('button', { name: /^Copy e-mail address of/ });
  await page.mouse.move(0, 0);
  await expect(copy).toHaveCSS('opacity', '0');
  await row.getByText('@').hover();
  await expect(copy).toHaveCSS('opacity', '1');
  await page.mouse.move(0, 0);
  await row.getByRole('link').first().focus();
  await page.keyboard.press('Tab');
  await expect(copy).toBeFocused();
  await expect(copy).toHaveCSS('opacity', '1');
  // Shown for 2 seconds only.
  const done = expect(row.getByRole('button', { name: 'Copied' })).toBeVisible();
  await Promise.all([page.keyboard.press('Enter'), done]);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(user.email);
});

test("a device's name is not cut while there is something else to leave out", SOAK, async ({ enter, estate }) => {
  const device = await estate.device('greenhouse-north-gateway-12');
  const page = await enter('superAdmin');
  await page.goto(`/devices?search=${device.serial}`);
  const name = new DevicesPage(page).rows.getByRole('link', { name: 'greenhouse-north-gateway-12', exact: true });
  for (const width of [1280, 1024]) {
    await page.setViewportSize({ width, height: 700 });
    await expect(name).toBeVisible();
    // The table chooses its columns after its width is known.
    const cut = () => name.evaluate((at) => at.scrollWidth - at.clientWidth);
    await expect.poll(cut, `at ${width} pixels`).toBeLessThanOrEqual(0);
  }
});

test('tables are compact by choice, kept over a reload', SOAK, async ({ as, estate }) => {
  await estate.invite('a-long-name-before-the-at-sign');
  const page = await as('superAdmin');
  const shell = new Shell(page);
  const rows = new DevicesPage(page).rows;
  const heights = async () => {
    await expect(rows.first()).toContainText('Connected');
    return new Set(await rows.evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height))));
  };
  const choose = async () => {
    await shell.userMenu.click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact tables' }).click();
    await page.keyboard.press('Escape');
  };
  await page.goto('/devices');
  await expect.poll(heights).toEqual(new Set([40]));
  await choose();
  await expect.poll(heights).toEqual(new Set([32]));
  await page.reload();
  await expect.poll(heights).toEqual(new Set([32]));
  await page.goto('/users');
  // Of invitations and of people; row 0 of each is its head.
  for (const table of [page.getByRole('table').first(), page.getByRole('table').last()]) {
    await expect(table.getByRole('row').nth(1)).toContainText('@');
    const height = async () => (await table.getByRole('row').nth(1).boundingBox())?.height;
    await expect.poll(height).toBeCloseTo(32, 0);
  }
  await choose();
  await page.goto('/devices');
  await expect.poll(heights).toEqual(new Set([40]));
});

test('the sidebar collapses, and stays so', SOAK, async ({ as }) => {
  const page = await as('member');
  const shell = new Shell(page);
  const wide = (await shell.navigation.boundingBox())?.width ?? 0;
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
  const width = async () => (await shell.navigation.boundingBox())?.width;
  await expect.poll(width).toBeLessThan(wide / 2);
  await expect(shell.navigation.getByRole('link', { name: 'Devices' })).toBeVisible();
});

test.describe('on a phone', () => {
  const fits = (page: { evaluate: (body: () => number) => Promise<number> }) =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

  test('the menu is behind a button, and no page is wider than the window', async ({ as, warren }) => {
    const page = await as('member', phone);
    const shell = new Shell(page);
    await expect(shell.navigation).not.toBeInViewport();
    await expect.poll(() => fits(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Open navigation' }).tap();
    await expect(shell.navigation).toBeInViewport();
    await shell.navigation.getByRole('link', { name: 'Devices' }).tap();
    await expect(page).toHaveURL(`/devices/${warren.facts.device.account}`);
    await expect(shell.navigation).not.toBeInViewport();
    await expect(new DevicesPage(page).rows).toHaveCount(1);
    await expect.poll(() => fits(page)).toBeLessThanOrEqual(0);
  });

  test('the key row offers the keys that a phone lacks', async ({ enter, warren }) => {
    const page = await enter('member', phone);
    const terminal = new TerminalPage(page);
    await terminal.openReady(warren.facts.device.id);
    await expect.poll(() => fits(page)).toBeLessThanOrEqual(0);
    const keys = page.getByRole('toolbar', { name: 'Terminal keys' });
    for (const name of ['Esc', 'Tab', 'Ctrl', 'Alt', 'Left', 'Down', 'Up', 'Right']) {
      await expect(keys.getByRole('button', { name })).toBeVisible();
    }
    await terminal.run('echo one');
    await terminal.expectLine('one');
    // Neither Enter nor the row takes the phone's keyboard away.
    const typing = page.getByRole('group', { name: /^Terminal of/ }).getByRole('textbox');
    await expect(typing).toBeFocused();
    await keys.getByRole('button', { name: 'Up' }).tap();
    await expect(typing).toBeFocused();
    await terminal.expectLine('ready> echo one');
    await keys.getByRole('button', { name: 'Ctrl' }).tap();
    await expect(keys.getByRole('button', { name: 'Ctrl' })).toHaveAttribute('aria-pressed', 'true');
    await terminal.type('u');
    await terminal.expectPrompt();
    await expect(keys.getByRole('button', { name: 'Ctrl' })).toHaveAttribute('aria-pressed', 'false');
  });
});
