import { DevicesPage } from '../../pages/devices.ts';
import { devices } from '../../support/api.ts';
import { enrolGrove } from '../../support/grove.ts';
import { expect, test } from '../../support/test.ts';

const mark = `grove-${Date.now().toString(36)}`;
const names = Array.from({ length: 55 }, (_, index) => `${mark}-${String(index).padStart(2, '0')}`);

test.beforeAll(async ({ playwright, warren, browser }) => {
  const account = warren.account('Harbour Lab');
  await enrolGrove({
    playwright,
    browser,
    hub: warren.facts.hub,
    account,
    who: 'otherOwner',
    names,
    network: '10.21.0',
  });
});

test('a filter in the address finds the same after a reload, and says where it is wrong', async ({ enter, warren }) => {
  const page = await enter('otherMember');
  const list = new DevicesPage(page);
  const filter = `name~${mark} address~10.21.0.5 -status=connected`;
  await list.open(`${warren.account('Harbour Lab')}?filter=${encodeURIComponent(filter)}`);
  await expect(list.rows).toHaveCount(7);
  await page.reload();
  await expect(list.search).toHaveValue(filter);
  await expect(list.rows).toHaveCount(7);
  await list.search.press('End');
  await list.search.pressSequentially(' cpu>high');
  await expect(page.getByText('cpu: expected a number from 0 to 100, not “high”.')).toBeVisible();
  await expect(list.rows).toHaveCount(7);
  await list.open(`${warren.account('Harbour Lab')}?filter=${encodeURIComponent('cpu>high')}`);
  await expect(page.getByRole('alert')).toContainText('not “high”. (at character 5)');
  await expect(page.getByRole('table')).toHaveCount(0);
});

test('all devices that a filter finds are labelled at once, and found by that label', async ({ enter, warren }) => {
  const page = await enter('otherOwner');
  const list = new DevicesPage(page);
  await list.open(`${warren.account('Harbour Lab')}?filter=${encodeURIComponent(`name~${mark}`)}`);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click();
  await expect(page.getByText('50 selected')).toBeVisible();
  await page.getByRole('button', { name: `Select all ${names.length}` }).click();
  await page.getByRole('button', { name: 'Edit labels' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit labels of ${names.length} devices` });
  await dialog.getByRole('combobox', { name: 'Labels to set' }).fill(`grove=${mark}`);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Apply labels' }).click();
  await expect(page.getByText(`Labels of ${names.length} devices changed.`)).toBeVisible();

  await list.search.fill('grove=');
  await page.getByRole('option', { name: mark }).click();
  await expect(page).toHaveURL(/filter=grove/);
  await expect(page.getByText(`1–50 of ${names.length}`)).toBeVisible();
  await expect(list.rows.first().getByText(`grove=${mark}`)).toBeVisible();
});

test('a device is found, selected and opened by keys alone', async ({ enter, warren }) => {
  const page = await enter('otherOwner');
  const list = new DevicesPage(page);
  await list.open(`${warren.account('Harbour Lab')}?sort=name`);
  await expect(list.rows.first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(`${mark}-0`);
  await expect(list.rows).toHaveCount(10);
  await page.keyboard.press('Escape');
  await expect(list.search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list.search).not.toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: `Select ${mark}-01` })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Device Details' })).toContainText(`${mark}-01`);
});

test('labels and notes are changed in the details, by those who may', async ({ enter, warren }) => {
  const owner = await enter('otherOwner');
  const list = new DevicesPage(owner);
  const account = warren.account('Harbour Lab');
  const [device] = (await devices(owner.request, `filter=name=${mark}-03`)).devices;
  await list.open(`${account}?device=${device?.id}`);
  const dialog = owner.getByRole('dialog', { name: 'Device Details' });
  await dialog.getByRole('button', { name: 'Edit labels' }).click();
  await dialog.getByRole('combobox', { name: 'Labels' }).fill('room=attic');
  await owner.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Apply labels' }).click();
  await expect(dialog.getByText('room=attic')).toBeVisible();
  await dialog.getByRole('button', { name: 'Edit notes' }).click();
  await dialog.getByRole('textbox', { name: 'Notes' }).fill('Behind the door.\n<b>Key</b>: reception');
  await dialog.getByRole('button', { name: 'Save notes' }).click();
  await expect(dialog.getByText('<b>Key</b>: reception')).toBeVisible();

  const member = await enter('otherMember');
  await new DevicesPage(member).open(`${account}?device=${device?.id}`);
  const shown = member.getByRole('dialog', { name: 'Device Details' });
  await expect(shown.getByText('room=attic')).toBeVisible();
  await expect(shown.getByRole('button', { name: 'Edit labels' })).toHaveCount(0);
  await expect(member.getByRole('checkbox')).toHaveCount(0);
});

test('a view is saved, shared, opened by others, and deleted with a way back', async ({ enter, warren }) => {
  const owner = await enter('otherOwner');
  const account = warren.account('Harbour Lab');
  const filter = `name~${mark} address~10.21.0.5`;
  const list = new DevicesPage(owner);
  await list.open(`${account}?filter=${encodeURIComponent(filter)}&sort=name&order=desc&columns=labels,model`);
  await owner.getByRole('button', { name: 'Save view' }).click();
  const dialog = owner.getByRole('dialog', { name: 'Save view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(mark);
  await dialog.getByRole('radio', { name: 'Everybody who sees the devices of Harbour Lab' }).check();
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(owner.getByRole('button', { name: `View ${mark}`, exact: true })).toBeVisible();

  const member = await enter('otherMember');
  const other = new DevicesPage(member);
  await other.open(account);
  await member.getByRole('button', { name: 'Views' }).click();
  await member.getByRole('menuitem', { name: mark, exact: true }).click();
  await expect(other.rows).toHaveCount(7);
  await expect(other.rows.first()).toContainText(`${mark}-54`);
  await expect(other.head('Model')).toBeVisible();
  await member.getByRole('button', { name: `View ${mark}`, exact: true }).click();
  await expect(member.getByRole('menuitem', { name: `Delete ${mark}` })).toHaveCount(0);

  await list.sort('Device name');
  await owner.getByRole('button', { name: 'Update view' }).click();
  await owner.getByRole('button', { name: `View ${mark}`, exact: true }).click();
  await owner.getByRole('menuitem', { name: `Delete ${mark}` }).click();
  await owner.getByRole('button', { name: 'Undo' }).click();
  await owner.getByRole('button', { name: 'Views' }).click();
  await expect(owner.getByRole('menuitem', { name: mark, exact: true })).toBeVisible();
});
