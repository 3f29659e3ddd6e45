import { Dialog } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { Shell } from '../../pages/shell.ts';
import { expect, test } from '../../support/test.ts';

// As most people have it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('the focus returns to what opened a dialog or a menu, and Enter confirms', async ({ office, enter }) => {
  const estate = await office.estate();
  const device = await estate.device('pump');
  const page = await enter('superAdmin');
  const list = new ListPage(page, /Devices list$/);
  await page.goto(`/devices/${estate.id}?search=${device.serial}`);
  const menu = list.button('Actions for pump');
  await list.act('pump', 'Change Name');
  await expect(new Dialog(page, 'Change Hostname').field('Hostname')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();

  const name = list.row('pump').getByRole('link', { name: 'pump', exact: true });
  await name.click();
  const details = new Dialog(page, 'Device Details');
  await expect(details.root).toBeVisible();
  await expect(details.button('Close')).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(name).toBeFocused();

  const user = new Shell(page).userMenu;
  await user.click();
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(user).toBeFocused();

  await page.goto(`/groups/${estate.id}`);
  await page.getByRole('button', { name: 'Create group' }).click();
  const create = new Dialog(page, 'Create group');
  await create.field(/Group name/).fill('Welders');
  await page.keyboard.press('Enter');
  await create.expectGone();
  const groups = new ListPage(page, 'Groups');
  await groups.act('Welders', 'Delete group');
  const remove = new Dialog(page, 'Delete group');
  await expect(remove.root.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Welders');
  await page.keyboard.press('Enter');
  await remove.expectGone();
  await expect(groups.row('Welders')).toHaveCount(0);
});

test('after a navigation the focus is at the heading', async ({ enter }) => {
  const page = await enter('superAdmin');
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Users directory' })).toBeFocused();
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Accounts' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Accounts Directory' })).toBeFocused();
});

test('a panel of a device returns the focus to its tab', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  await page.goto(`/device/ssh/${warren.facts.device.id}`);
  const tab = page.getByRole('toolbar', { name: 'Device panels' }).getByRole('button', { name: 'Device details' });
  await tab.click();
  const panel = page.getByRole('complementary', { name: 'Device details' });
  await panel.getByRole('button', { name: 'Close' }).click();
  await expect(panel).toHaveCount(0);
  await expect(tab).toBeFocused();
});
