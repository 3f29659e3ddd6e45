import { Dialog } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { expect, test } from '../../support/test.ts';

// As most people have it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('a toast shows a name as it was given', async ({ office, enter }) => {
  const estate = await office.estate();
  const device = await estate.device('eta-north');
  const page = await enter('superAdmin');
  const list = new ListPage(page, /Devices list$/);
  await page.goto(`/devices/${estate.id}?search=${device.serial}`);
  await list.act('eta-north', 'Delete');
  const remove = new Dialog(page, 'Delete device');
  await remove.root.getByRole('textbox').fill('eta-north');
  await remove.confirm('Delete device');
  const detail = page.getByText('eta-north is gone.', { exact: true });
  await expect(detail).toBeVisible();
  // What is drawn, which the text of the page does not tell.
  expect(await detail.evaluate((text) => getComputedStyle(text, '::first-letter').textTransform)).toBe('none');
});
