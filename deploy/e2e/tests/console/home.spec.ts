import { DevicesPage } from '../../pages/devices.ts';
import { Shell } from '../../pages/shell.ts';
import { expect, test } from '../../support/test.ts';

test('Home ranks devices, and each figure leads to the devices behind it', async ({ enter, estate }) => {
  await estate.device('silo-full', undefined, { usedDisk: '930', totalDisk: '1000' });
  await estate.device('silo-hot', undefined, { temperature: 84 });
  await estate.device('silo-calm', undefined, { usedDisk: '100', totalDisk: '1000', temperature: 40 });
  const page = await enter('superAdmin');
  await page.goto('/');
  await new Shell(page).accountSelect.click();
  await page.getByRole('option', { name: estate.name }).click();

  const disks = page.getByRole('region', { name: 'Fullest disks' });
  await expect(disks.getByRole('listitem')).toHaveText(/silo-full.*93 %/);
  await expect(page.getByRole('region', { name: 'Hottest' }).getByRole('listitem')).toHaveText(/silo-hot.*84 °C/);
  await expect(page.getByRole('region', { name: 'Newest devices' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Least free memory' })).toContainText(
    'No device uses 90 % of its memory.',
  );

  await disks.getByRole('link', { name: 'See all 1' }).click();
  const list = new DevicesPage(page);
  await expect(list.search).toHaveValue('disk>=80');
  await expect(list.rows).toHaveCount(1);
  await page.goBack();
  await page.getByRole('region', { name: 'Devices', exact: true }).getByRole('link', { name: '3' }).click();
  await expect(list.search).toHaveValue('status=disconnected');
  await expect(list.rows).toHaveCount(3);
  await page.goBack();
  await disks.getByRole('link', { name: 'silo-full' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'silo-full' })).toBeVisible();
});

test('the events of Home are chosen by topic, in the address', async ({ enter, estate }) => {
  await estate.device('silo-new');
  const page = await enter('superAdmin');
  await page.goto('/?events=links');
  await new Shell(page).accountSelect.click();
  await page.getByRole('option', { name: estate.name }).click();
  const events = page.getByRole('region', { name: 'What changed lately' });
  await expect(events).toContainText('Nothing in the last 31 days.');
  await events.getByText('Changes', { exact: true }).click();
  await expect(page).toHaveURL(/events=changes/);
  await expect(events.getByRole('listitem')).toHaveText(/silo-new enrolled/);
});

test('Home stands alone on a screen on a wall until Escape', async ({ enter }) => {
  const page = await enter('superAdmin');
  await page.goto('/');
  await page.getByRole('button', { name: 'Full screen' }).click();
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Longest offline' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Leave full screen' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeVisible();
});
