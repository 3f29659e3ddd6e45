import { DevicesPage } from '../../pages/devices.ts';
import { device, enrolmentToken, getJson } from '../../support/api.ts';
import { enrolDevice } from '../../support/enrol.ts';
import { expect, test } from '../../support/test.ts';

const made = 60;
const onePage = 50;
const names = Array.from({ length: made }, (_, index) => `shelf-${String(index).padStart(3, '0')}`);

test.describe('a list of more than one page', () => {
  test.beforeAll(async ({ playwright, warren, browser }) => {
    const { hub } = warren.facts;
    const account = warren.account('Harbour Lab');
    const context = await browser.newContext({ baseURL: hub });
    const page = await context.newPage();
    const { signIn } = await import('../../pages/sign-in.ts');
    const { person } = await import('../../support/people.ts');
    await signIn(page, person('otherOwner').email);
    const search = await getJson<{ total: number }>(page.request, '/api/devices?search=shelf-');
    if (search.total === 0) {
      const { token } = await enrolmentToken(page.request, hub, account, made);
      const request = await playwright.request.newContext({ baseURL: hub });
      for (const [index, hostname] of names.entries()) {
        await enrolDevice(request, account, token, { hostname, ip: `10.20.0.${index + 1}` });
      }
      await request.dispose();
    }
    await context.close();
  });

  test('pages, and says which rows it shows', async ({ enter, warren }) => {
    const page = await enter('otherMember');
    const list = new DevicesPage(page);
    await list.open(`${warren.account('Harbour Lab')}?search=shelf-`);
    await expect(list.rows).toHaveCount(onePage);
    await expect(page.getByText(`1–${onePage} of ${made}`)).toBeVisible();
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect(list.rows).toHaveCount(made - onePage);
    await expect(page).toHaveURL(/page=2/);
    await page.reload();
    await expect(list.rows).toHaveCount(made - onePage);
    await page.goBack();
    await expect(list.rows).toHaveCount(onePage);
  });

  test('sorts all rows, not one page', async ({ enter, warren }) => {
    const page = await enter('otherMember');
    const list = new DevicesPage(page);
    await list.open(`${warren.account('Harbour Lab')}?search=shelf-`);
    await expect(list.head('Status')).toHaveAttribute('aria-sort', 'ascending');
    await list.sort('Device name');
    await expect(list.head('Device name')).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(() => list.names()).toEqual(names.slice(0, onePage));
    await list.sort('Device name');
    await expect(list.head('Device name')).toHaveAttribute('aria-sort', 'descending');
    await expect.poll(() => list.names()).toEqual(names.toReversed().slice(0, onePage));
    await expect(page).toHaveURL(/order=desc/);
  });

  test('searches from two characters on, over all rows', async ({ enter, warren }) => {
    const page = await enter('otherMember');
    const list = new DevicesPage(page);
    await list.open(`${warren.account('Harbour Lab')}?sort=name`);
    await expect(list.rows).toHaveCount(onePage);
    await list.search.fill('9');
    await expect(page).toHaveURL(/search=9/);
    await expect(list.rows).toHaveCount(onePage);
    await list.search.fill('shelf-05');
    await expect.poll(() => list.names()).toEqual(names.slice(50, 60));
    await list.search.fill('10.20.0.42');
    await expect.poll(() => list.names()).toEqual(['shelf-041']);
    await list.search.fill('e2e-shelf-007');
    await expect.poll(() => list.names()).toEqual(['shelf-007']);
    await list.search.fill('no such device');
    await expect(page.getByText('No devices found.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(list.rows).toHaveCount(onePage);
  });

  test('a device that never connected has no way into its console', async ({ enter, warren }) => {
    const page = await enter('otherMember');
    const list = new DevicesPage(page);
    await list.open(`${warren.account('Harbour Lab')}?search=shelf-001`);
    await expect(list.row('shelf-001')).toContainText('Disconnected');
    await expect(list.row('shelf-001').getByRole('link')).toHaveText(['shelf-001']);
  });
});

test('an operator sees whose device it is, and the list of that account', async ({ enter, warren }) => {
  const page = await enter('operatorMember');
  const list = new DevicesPage(page);
  await list.open();
  await expect(list.heading).toHaveText('ALL Accounts / Devices list');
  await list.sort('Account');
  await expect(list.head('Account')).toHaveAttribute('aria-sort', 'ascending');
  const own = await device(page.request, warren.facts.device.id);
  await list.search.fill(own.serial);
  await list.rows.filter({ hasText: 'Meadow Farms' }).getByRole('link', { name: 'Meadow Farms' }).click();
  await expect(page).toHaveURL(`/devices/${warren.facts.device.account}`);
});

test('Device Details shows what the machine says of itself', async ({ enter, warren }) => {
  const page = await enter('member');
  const own = await device(page.request, warren.facts.device.id);
  const list = new DevicesPage(page);
  await list.open(warren.facts.device.account);
  await expect(list.rows).toHaveCount(1);
  await expect(list.head('Account')).toHaveCount(0);
  const name = list.row(own.name).getByRole('link', { name: own.name, exact: true });
  const apart = page.context().waitForEvent('page');
  await name.focus();
  await page.keyboard.press('Control+Enter');
  await expect((await apart).getByRole('heading', { level: 1, name: own.name })).toBeVisible();
  await (await apart).close();
  await name.click();
  const { dialog } = list;
  await expect(dialog).toContainText('Device Details');
  const fields = [
    'Device Name',
    'Custom Name',
    'Private IP',
    'Public IP',
    'Device ID',
    'Webservice Enabled',
    'HTTP Port',
  ];
  const more = ['Device URL', 'CPUs', 'CPU Usage', 'Total RAM', 'Used RAM', 'Total Disk', 'Used Disk', 'Status'];
  await expect(dialog.locator('dt')).toHaveText([...fields, ...more]);
  await expect(dialog).toContainText(own.id);
  await expect(dialog).toContainText('1880');
  await expect(dialog).toContainText('Connected');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { level: 1, name: own.name })).toBeVisible();
});

test('the facts are this machine’s own', async ({ enter, warren }) => {
  const { cpus, hostname, release, totalmem } = await import('node:os');
  const { request } = await enter('member');
  const own = await device(request, warren.facts.device.id);
  expect(own.name).toBe(hostname());
  expect(own.cpu_cores).toBe(cpus().length);
  expect(own.kernel).toBe(release());
  expect(Math.abs(own.total_ram / totalmem() - 1)).toBeLessThan(0.02);
  expect(own.total_disk).toBeGreaterThan(0);
});
