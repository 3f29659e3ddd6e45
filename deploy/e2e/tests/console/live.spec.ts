import { DevicesPage } from '../../pages/devices.ts';
import { expect, test } from '../../support/test.ts';

test('a change shows by itself, also one from before the stream of changes was open', async ({
  enter,
  estate,
  office,
}) => {
  const { id } = await estate.device('orchard-wall');
  const rename = (name: string) => office.call('PUT', '/api/devices/change_hostname', { id, custom_name: name });
  const page = await enter('superAdmin');
  let open = (): void => {};
  const mayOpen = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/api/events*', async (route) => {
    await mayOpen;
    await route.continue();
  });
  const asked = page.waitForRequest('**/api/events*');

  const list = new DevicesPage(page);
  await list.open(estate.id);
  await expect(list.row('orchard-wall')).toBeVisible();
  await asked;
  await rename('Wall before');
  open();
  await expect(list.row('Wall before')).toBeVisible();
  await rename('Wall after');
  await expect(list.row('Wall after')).toBeVisible();
});
