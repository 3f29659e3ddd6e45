import { Dialog, expectToast } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { device, linkId } from '../../support/api.ts';
import { query } from '../../support/database.ts';
import { expect, test } from '../../support/test.ts';

test('Change Key: the device has another key, and dials with it', async ({ enter, warren }) => {
  const { database, device: own } = warren.facts;
  const key = async (): Promise<string | undefined> => {
    const text = "SELECT encode(public_key, 'hex') AS key FROM devices.device_keys WHERE device_id = $1";
    return (await query<{ key: string }>(database, text, [own.id]))[0]?.key;
  };
  const page = await enter('superAdmin');
  const link = () => linkId(page.request, own.id);
  const [oldKey, oldLink] = [await key(), await link()];
  const { custom_name: name, serial } = await device(page.request, own.id);
  const list = new ListPage(page, /Devices list$/);
  await page.goto(`/devices/${own.account}?search=${serial}`);
  await list.act(name, 'Change Key');
  const dialog = new Dialog(page, 'Change Key');
  await expect(dialog.root).toContainText(`${name} makes a new key`);
  await dialog.confirm('Change key');
  await expectToast(page, 'Your request successfully done', `${name} has a new key.`);
  expect(await key()).not.toBe(oldKey);
  await expect.poll(async () => ['', oldLink].includes(await link()), { timeout: 30_000 }).toBe(false);
});

test('Replace device: the owner restores the old entry of a reinstalled device', async ({ enter, estate }) => {
  const owner = await estate.owner('Rita Vale');
  const old = await estate.device('weir');
  const fresh = await estate.device('raspberrypi', old.serial);
  const page = await enter(owner.email);
  await page.goto(`/device/ssh/${fresh.id}`);
  await page.getByRole('button', { name: 'Device details' }).click();
  await expect(page.getByRole('note')).toContainText('weir has the same serial and is not connected.');
  await page.getByRole('button', { name: 'Replace weir' }).click();
  const dialog = new Dialog(page, 'Replace device');
  await expect(dialog.root).toContainText('This device takes the place of weir');
  await dialog.confirm('Replace');
  await expectToast(page, 'Your request successfully done', 'This device is weir again.');
  await expect(page).toHaveURL(new RegExp(`/device/ssh/${old.id}$`));
  expect((await page.request.get(`/api/devices/${fresh.id}`)).status()).toBe(404);
  expect((await device(page.request, old.id)).serial).toBe(old.serial);
});

test('Replace hardware: the owner gives the entry of a dead device to its new board', async ({ enter, estate }) => {
  const owner = await estate.owner('Vera Moss');
  const old = await estate.device('sluice');
  const fresh = await estate.device('newboard');
  const page = await enter(owner.email);
  await page.goto(`/device/ssh/${old.id}`);
  await page.getByRole('button', { name: 'Device details' }).click();
  await page.getByRole('button', { name: 'Replace hardware' }).click();
  const dialog = new Dialog(page, 'Replace hardware');
  await dialog.root.getByRole('combobox', { name: 'New hardware' }).click();
  await page.getByRole('option', { name: `newboard (${fresh.serial})` }).click();
  await dialog.confirm('Replace');
  await expectToast(
    page,
    'Your request successfully done',
    `sluice runs on the hardware with serial ${fresh.serial} now.`,
  );
  expect((await page.request.get(`/api/devices/${fresh.id}`)).status()).toBe(404);
  expect(await device(page.request, old.id)).toMatchObject({ serial: fresh.serial, custom_name: 'sluice' });
});
