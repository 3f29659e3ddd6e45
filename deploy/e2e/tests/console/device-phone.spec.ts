import type { Locator, Page } from '@playwright/test';
import { device as read, endTerminals } from '../../support/api.ts';
import { violations } from '../../support/axe.ts';
import { expect, test } from '../../support/test.ts';

const size = { width: 360, height: 740 };
const phone = { viewport: size, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
/** The smallest target of a finger, in pixels. */
const FINGER = 44;
/** What a thumb reaches: the lower half of the screen, where tabs and menu are at its very end. */
const BAR = size.height - 64;

/** The device page as a phone has it. */
function phonePage(page: Page, name: string) {
  const menu = page.getByRole('button', { name: `Actions for ${name}`, exact: true });
  const item = (label: string | RegExp) => page.getByRole('menuitem', { name: label, exact: true });
  return {
    menu,
    item,
    items: page.getByRole('menuitem'),
    tabs: page.getByRole('navigation', { name: 'Views of the device' }).getByRole('link'),
    choose: async (label: string | RegExp) => {
      await menu.tap();
      await item(label).tap();
    },
  };
}

/** Expects targets that a finger hits, no higher on the screen than `top`. */
async function expectInReach(targets: Locator, top: number): Promise<void> {
  const boxes = await targets.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
  expect(boxes).not.toEqual([]);
  for (const { left, right, width, height, y, bottom } of boxes) {
    expect(Math.round(width)).toBeGreaterThanOrEqual(FINGER);
    expect(Math.round(height)).toBeGreaterThanOrEqual(FINGER);
    expect(y).toBeGreaterThanOrEqual(top);
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(size.width);
    expect(bottom).toBeLessThanOrEqual(size.height);
  }
}

/** Expects that each action opens its dialog, which returns the focus to the menu. */
async function expectDialogs(
  page: Page,
  menu: Locator,
  choose: (label: string) => Promise<void>,
  dialogs: (readonly [label: string, title: string])[],
): Promise<void> {
  for (const [label, title] of dialogs) {
    await choose(label);
    await expect(page.getByRole('dialog', { name: title, exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(menu).toBeFocused();
  }
}

const noWiderThanThePhone = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);

test('one thumb reaches all tabs and actions of a device on a phone', async ({ enter, warren }) => {
  const page = await enter('superAdmin', phone);
  const { device } = warren.facts;
  await endTerminals(page.request, warren.facts.hub, device.id);
  const { custom_name: custom, name: own } = await read(page.request, device.id);
  const name = custom || own;
  const { menu, tabs, choose } = phonePage(page, name);
  await page.goto(`/devices/${device.account}/${device.id}`);
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Compare' })).toHaveCount(0);
  await expect(menu).toHaveCount(1);
  await expectInReach(menu, BAR);
  await expectInReach(tabs, BAR);
  await noWiderThanThePhone(page);

  await choose('Compare');
  await expect(page).toHaveURL(`/devices/compare/${device.id}`);
  await page.goBack();
  await expectDialogs(page, menu, choose, [['Change Key', 'Change Key']]);
  await choose('Reboot Device');
  await page.getByRole('dialog', { name: 'Reboot Device' }).getByRole('button', { name: 'Reboot' }).tap();
  await expect(page.getByText(`${name} is restarting.`)).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('link', { name: 'Compare' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reboot Device' })).toBeVisible();
  await expect(menu).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'New terminal' })).toBeVisible();
});

test('tabs are opened, split and closed at the bottom of a phone', async ({ enter, warren }) => {
  const page = await enter('superAdmin', phone);
  const { device } = warren.facts;
  await endTerminals(page.request, warren.facts.hub, device.id);
  const { custom_name: custom, name } = await read(page.request, device.id);
  const { menu, item, tabs, choose } = phonePage(page, custom || name);
  await page.goto(`/devices/${device.account}/${device.id}`);
  for (const [label, view] of [
    [/^Logs/, 'logs'],
    [/^Web service/, 'web'],
    [/^Desktop/, 'desktop'],
    [/^Terminal/, 'terminal'],
  ] as const) {
    const tab = page.getByRole('navigation', { name: 'Views of the device' }).getByRole('link', { name: label });
    await tab.tap();
    await expect(tab).toHaveAttribute('aria-current', 'page');
    await expect(page).toHaveURL(new RegExp(`[?]tab=${view}$`));
    await expectInReach(tabs, BAR);
    await expectInReach(menu, BAR);
  }
  const panes = page.locator('[data-view=terminal-1] [data-pane]');
  await expect(panes).toHaveCount(1);
  await choose('Split below');
  await expect(panes).toHaveCount(2);
  await menu.tap();
  await expect(item('Split below')).toHaveCount(0);
  await item('New terminal').tap();
  await expect(page).toHaveURL(/tab=terminal-2$/);
  await choose('Close Terminal 2');
  await expect(page).toHaveURL(/tab=terminal&split=below$/);
  await choose('Close Terminal');
  await expect(panes).toHaveCount(0);
  await noWiderThanThePhone(page);
});

test('a phone has every action that a wide screen has', async ({ enter, estate, office }) => {
  const { id, name } = await estate.device('pump');
  const recent = { minutes: 15, terminals: false, manage: false, grants: false };
  const requests = { requests: true, longest_minutes: 60, approver_group: null, second_approver: false };
  const rules = { ...requests, guest_links: true, recent_sign_in: recent };
  await office.call('PUT', `/api/accounts/${estate.id}/access/rules`, rules);

  const { email } = await estate.user('Max Field');
  const member = await enter(email, phone);
  const theirs = phonePage(member, name);
  await member.goto(`/devices/${estate.id}/${id}`);
  await theirs.menu.tap();
  await expect(theirs.items).toHaveText(['Compare', 'Guest link', 'Ask for access', 'New terminal']);
  await member.keyboard.press('Escape');
  await expectDialogs(member, theirs.menu, theirs.choose, [
    ['Guest link', 'New guest link'],
    ['Ask for access', 'Ask for access'],
  ]);

  const page = await enter('superAdmin', phone);
  const { menu, items, item, choose } = phonePage(page, name);
  await page.goto(`/devices/${estate.id}/${id}`);
  await menu.tap();
  await expect(items).toHaveText([
    'Disable Console',
    'Enable Web',
    'VNC Address',
    'Change Name',
    'Change Account',
    'Delete',
    'Compare',
    // It has never connected.
    'Reboot DeviceThe device has to be connected.',
    'New terminal',
  ]);
  await expectInReach(items, 64);
  await expect.poll(() => violations(page)).toEqual([]);
  // A finger may tap it all the same.
  await item(/^Reboot Device/).tap({ force: true });
  await expect(item(/^Reboot Device/)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expectDialogs(page, menu, choose, [
    ['Disable Console', 'Manage device'],
    ['Enable Web', 'Enable Webservice'],
    ['VNC Address', 'VNC Address'],
    ['Change Name', 'Change Hostname'],
    ['Change Account', 'Change Account'],
    ['Delete', 'Delete device'],
  ]);
});
