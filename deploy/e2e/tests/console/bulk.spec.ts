import { DevicesPage } from '../../pages/devices.ts';
import { device, devices } from '../../support/api.ts';
import { enrolGrove } from '../../support/grove.ts';
import { expect, test } from '../../support/test.ts';

const mark = `field-${Date.now().toString(36)}`;
const names = Array.from({ length: 55 }, (_, index) => `${mark}-${String(index).padStart(2, '0')}`);
const found = `?sort=name&filter=${encodeURIComponent(`name~${mark}`)}`;

test.beforeAll(async ({ playwright, warren, browser }) => {
  const account = warren.account('Harbour Lab');
  await enrolGrove({
    playwright,
    browser,
    hub: warren.facts.hub,
    account,
    who: 'superAdmin',
    names,
    network: '10.22.0',
  });
});

test('a connected device reboots, and its progress is shown on every page', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const { account, name, custom_name: custom } = await device(page.request, warren.facts.device.id);
  const list = new DevicesPage(page);
  const row = await list.only(account.id, custom || name);
  await expect(row).toContainText('Connected');
  await row.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Actions on 1 device' }).click();
  await page.getByRole('menuitem', { name: 'Reboot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reboot 1 device' });
  await expect(dialog).toContainText(custom || name);
  await dialog.getByRole('button', { name: 'Reboot' }).click();
  const notice = page.getByRole('region', { name: 'Bulk job progress' });
  await expect(notice).toContainText('Finished: 1 done');
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Home' }).click();
  await expect(notice).toContainText('Finished: 1 done');
  await page.reload();
  await notice.getByRole('button', { name: 'Dismiss Reboot' }).click();
  await expect(notice).toHaveCount(0);
});

test('devices that are not connected are reported, and selected again', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  const list = new DevicesPage(page);
  await list.open(`${warren.account('Harbour Lab')}${found}`);
  for (const name of names.slice(0, 12)) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
  await page.getByRole('button', { name: 'Actions on 12 devices' }).click();
  await page.getByRole('menuitem', { name: 'Reboot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reboot 12 devices' });
  await expect(dialog).toContainText(`${names[0]}, ${names[1]}, ${names[2]}, ${names[3]}, ${names[4]} and 7 more`);
  await expect(dialog.getByRole('button', { name: 'Reboot' })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Type 12 to confirm' }).fill('12');
  await dialog.getByRole('button', { name: 'Reboot' }).click();
  const notice = page.getByRole('region', { name: 'Bulk job progress' });
  await expect(notice).toContainText('Finished: 0 done, 12 failed');
  await notice.getByRole('link', { name: 'Details' }).click();
  const outcome = page.getByRole('region', { name: 'Reboot · 12 devices' });
  await expect(outcome).toContainText('The device is not connected. 12');
  await expect(outcome.getByRole('link', { name: names[11] })).toBeVisible();
  await outcome.getByRole('button', { name: 'Select the 12 failed' }).click();
  await expect(page.getByRole('region', { name: 'Selected devices' })).toContainText('12 selected');
  await notice.getByRole('button', { name: 'Dismiss Reboot' }).click();
});

test('all devices of a filter are switched and deleted, on a phone too', async ({ enter, warren }) => {
  const page = await enter('superAdmin');
  await page.setViewportSize({ width: 360, height: 740 });
  const list = new DevicesPage(page);
  const act = async (action: string, confirm: string) => {
    await list.open(`${warren.account('Harbour Lab')}${found}`);
    await expect(list.rows).toHaveCount(50);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
    await page.getByRole('button', { name: `Select all ${names.length}` }).click();
    await page.getByRole('button', { name: `Actions on ${names.length} devices` }).click();
    await page.getByRole('menuitem', { name: action }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`All ${names.length} devices that match now`);
    if (action === 'Delete') await dialog.getByRole('textbox').fill(String(names.length));
    await dialog.getByRole('button', { name: confirm }).click();
    const notice = page.getByRole('region', { name: 'Bulk job progress' });
    await expect(notice).toContainText(`Finished: ${names.length} done`);
    await notice.getByRole('button', { name: /^Dismiss/ }).click();
  };
  await act('Disable console', 'Disable');
  const off = await devices(page.request, `filter=${encodeURIComponent(`name~${mark} console=off`)}`);
  expect(off.total).toBe(names.length);
  await act('Delete', 'Delete');
  await expect(page.getByText('No devices found.')).toBeVisible();
});

test('owners and members start no job, on any device', async ({ enter, warren }) => {
  const page = await enter('otherOwner');
  const ids = [warren.facts.device.id];
  const headers = { origin: warren.facts.hub };
  const start = (data: Record<string, unknown>) => page.request.post('/api/devices/bulk', { headers, data });
  expect((await start({ action: 'reboot', ids })).status()).toBe(403);
  expect((await start({ action: 'delete', filter: '', account: warren.account('Meadow Farms') })).status()).toBe(404);
  await new DevicesPage(page).open(warren.account('Harbour Lab'));
  await expect(page.getByRole('link', { name: 'Bulk jobs' })).toHaveCount(0);
});
