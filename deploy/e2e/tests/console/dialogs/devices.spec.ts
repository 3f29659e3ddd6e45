import type { Page } from '@playwright/test';
import { choose, Dialog, expectToast } from '../../../pages/dialog.ts';
import { ListPage } from '../../../pages/list.ts';
import { TerminalPage } from '../../../pages/terminal.ts';
import type { Estate, MadeUser } from '../../../support/office.ts';
import { SOAK } from '../../../support/soak.ts';
import { expect, test } from '../../../support/test.ts';

let estate: Estate;
let member: MadeUser;
test.beforeAll(async ({ office }) => {
  estate = await office.estate();
  member = await estate.user('Mel Watts');
});

/** A new device, as a SuperAdmin and a Member of its account see it. */
async function before(enter: (who: string) => Promise<Page>, name: string) {
  const device = await estate.device(name);
  const [page, onlooker] = [await enter('superAdmin'), await enter(member.email)];
  const [list, other] = [new ListPage(page, /Devices list$/), new ListPage(onlooker, /Devices list$/)];
  for (const one of [list, other]) {
    await one.page.goto(`/devices/${estate.id}?search=${device.serial}`);
    await expect(one.row(name)).toContainText('Disconnected');
  }
  await expect(other.row(name).getByRole('button', { name: /^Actions/ })).toHaveCount(0);
  return { device, page, list, other };
}

test('Change Name: the new name is in every list', SOAK, async ({ enter }) => {
  const { page, list, other } = await before(enter, 'pump-house');
  await list.act('pump-house', 'Change Name');
  const dialog = new Dialog(page, 'Change Hostname');
  await expect(dialog.field('Hostname')).toHaveValue('pump-house');
  await dialog.field('Hostname').fill('Pump house, north');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Custom name successfully changed', 'The device is called Pump house, north now.');
  for (const one of [list, other]) await expect(one.row('Pump house, north')).toContainText('pump-house');
});

test('Enable Web asks for the port; Disable Web takes it back', async ({ enter }) => {
  const { page, list, other } = await before(enter, 'web-cam');
  await list.act('web-cam', 'Enable Web');
  const dialog = new Dialog(page, 'Enable Webservice');
  await expect(dialog.field('HTTP port')).toHaveValue('1880');
  await dialog.field('HTTP port').fill('8088');
  await dialog.confirm('Enable');
  await expectToast(page, 'HTTP request successfully done', 'Port 8088 of web-cam is exposed.');
  // On, and not there now.
  for (const one of [list, other]) await expect(one.row('web-cam').getByText('Off')).toHaveCount(0);
  await list.act('web-cam', 'Disable Web');
  const manage = new Dialog(page, 'Manage device');
  await expect(manage.root).toContainText('The web service of the device is no longer reachable.');
  await manage.confirm('Save changes');
  await expectToast(page, 'Your request successfully done', 'The web service of web-cam is disabled now.');
  for (const one of [list, other]) await expect(one.row('web-cam').getByText('Off')).toHaveCount(1);
});

test('Disable Console and Enable Console', SOAK, async ({ enter }) => {
  const { page, list, other } = await before(enter, 'kiosk');
  await expect(list.row('kiosk').getByText('Off')).toHaveCount(1);
  await list.act('kiosk', 'Disable Console');
  const dialog = new Dialog(page, 'Manage device');
  await expect(dialog.root).toContainText('Terminals that are open end within seconds.');
  await expect(dialog.root.getByRole('switch', { name: 'Console' })).not.toBeChecked();
  await dialog.confirm('Save changes');
  await expectToast(page, 'Your request successfully done', 'The console of kiosk is disabled now.');
  for (const one of [list, other]) await expect(one.row('kiosk').getByText('Off')).toHaveCount(2);
  await list.act('kiosk', 'Enable Console');
  await expectToast(page, 'Your request successfully done', 'The console of kiosk is enabled now.');
  for (const one of [list, other]) await expect(one.row('kiosk').getByText('Off')).toHaveCount(1);
});

test('Change Account moves the device out of one list and into another', async ({ enter, office }) => {
  const { page, list, other } = await before(enter, 'tractor');
  const target = await office.estate('Paddock');
  await list.act('tractor', 'Change Account');
  const dialog = new Dialog(page, 'Change Account');
  await expect(dialog.root).toContainText(`tractor belongs to ${estate.name}.`);
  await dialog.field('New account').pressSequentially(target.name);
  await choose(page, target.name);
  await dialog.confirm('Change account');
  await expectToast(page, 'Custom account successfully changed', `tractor belongs to ${target.name} now.`);
  for (const one of [list, other]) await expect(one.page.getByText('No devices found.')).toBeVisible();
  await page.goto(`/devices/${target.id}`);
  await expect(list.row('tractor')).toBeVisible();
});

test('Delete device wants its name typed', async ({ enter }) => {
  const { page, list, other } = await before(enter, 'old-router');
  await list.act('old-router', 'Delete');
  const dialog = new Dialog(page, 'Delete device');
  await expect(dialog.root).toContainText(`old-router is removed from ${estate.name}, for good:`);
  await expect(dialog.button('Delete device')).toBeDisabled();
  await dialog.field('Type old-router to confirm').fill('old-router');
  await dialog.confirm('Delete device');
  await expectToast(page, 'device successfully removed', 'old-router is gone.');
  for (const one of [list, other]) await expect(one.page.getByText('No devices found.')).toBeVisible();
});

test('Delete device from its own page leads back to the list', SOAK, async ({ enter }) => {
  const { page, device } = await before(enter, 'old-switch');
  await page.goto(`/device/ssh/${device.id}`);
  await page.getByRole('button', { name: 'Delete device' }).click();
  const panel = page.getByRole('complementary', { name: 'Delete device' });
  await panel.getByLabel('Type old-switch to confirm').fill('old-switch');
  await panel.getByRole('button', { name: 'Delete device' }).click();
  await expectToast(page, 'device successfully removed', 'old-switch is gone.');
  await expect(page).toHaveURL(/\/devices(\/|$)/);
  await page.goto(`/devices/${estate.id}?search=${device.serial}`);
  await expect(page.getByText('No devices found.')).toBeVisible();
});

test('Reboot Device asks first, and reaches the device', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  await new TerminalPage(page).open(warren.facts.device.id);
  await page.getByRole('button', { name: 'Device details' }).click();
  await page.getByRole('button', { name: 'Reboot Device' }).click();
  const dialog = new Dialog(page, 'Reboot Device');
  await expect(dialog.root).toContainText('running programs end');
  await dialog.confirm('Reboot');
  await expect(page.getByRole('alert').filter({ hasText: 'Your request successfully done' })).toBeVisible();
  await dialog.expectGone();
});

test('WebSSH opens a tab with nothing but the terminal', SOAK, async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const list = new ListPage(page, /Devices list$/);
  await page.goto(`/devices/${warren.facts.device.account}`);
  const name = await list.table.locator('tbody').getByRole('row').first().getByRole('link').first().innerText();
  const [tab] = await Promise.all([page.waitForEvent('popup'), list.act(name, 'WebSSH')]);
  const terminal = new TerminalPage(tab);
  await terminal.expectState('connected');
  await expect(tab).toHaveURL(/\/api\/webssh\/ssh\/host\//);
  await expect(tab.getByRole('navigation')).toHaveCount(0);
});
