import type { Locator } from '@playwright/test';
import { DevicesPage } from '../../pages/devices.ts';
import { raiseAlerts } from '../../support/screens/alerts.ts';
import { Shell } from '../../pages/shell.ts';
import { expect, test } from '../../support/test.ts';

test('Home ranks devices, and each figure leads to the devices behind it', async ({ enter, estate }) => {
  // Its root has room, its data disk does not.
  const full = { usedDisk: '100', totalDisk: '1000', fullestDisk: '/data', fullestDiskUsage: 93 };
  await estate.device('silo-full', undefined, full);
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
  await expect(page.getByText('/data, 93 %')).toBeVisible();
});

/** The links of a widget with the figure that each shows, or that stands at the end of its row. */
const figuresOf = (widget: Locator) =>
  widget.getByRole('link').evaluateAll((links) =>
    links.flatMap((link) => {
      const text = link.closest('li')?.lastElementChild?.textContent ?? link.textContent;
      const address = link.getAttribute('href') ?? '';
      // Names of ranked devices lead to their pages.
      return /[?&](filter|severity)=/.test(address) ? [{ address, figure: Number(/\d+$/.exec(text)?.[0]) }] : [];
    }),
  );

test('the list behind each figure has as many rows as the figure says', async ({ office, enter, estate }) => {
  const full = { usedDisk: '930', totalDisk: '1000', usedRam: '950', totalRam: '1000' };
  await estate.device('silo-full', undefined, { ...full, agentVersion: '0.3.0' });
  await estate.device('silo-hot', undefined, { temperature: 84, agentVersion: '0.3.0' });
  await estate.device('silo-old', undefined, { agentVersion: '0.1.0' });
  await estate.device('silo-unknown', undefined, { agentVersion: '' });
  await raiseAlerts(office, estate.id);
  const { email } = await estate.user('Vera Viewer');
  const page = await enter(email);
  await page.goto('/');
  const widget = (name: string) => page.getByRole('region', { name, exact: true });
  const counted: Record<string, number[]> = {};
  const figures: { address: string; figure: number }[] = [];
  const names = ['Devices', 'Open alerts', 'Longest offline', 'Fullest disks', 'Hottest', 'Least free memory'];
  for (const name of [...names, 'Newest devices', 'Agent versions']) {
    await expect(widget(name).getByRole('link').first()).toBeVisible();
    const found = await figuresOf(widget(name));
    counted[name] = found.map(({ figure }) => figure);
    figures.push(...found);
  }
  expect(counted).toMatchObject({
    Devices: [0, 4],
    'Longest offline': [4],
    'Fullest disks': [1],
    Hottest: [1],
    'Least free memory': [1],
    'Newest devices': [4],
    'Agent versions': [2, 1, 1],
  });
  expect(counted['Open alerts']?.[0]).toBeGreaterThan(0);
  for (const { address, figure } of figures) {
    await page.goto(address);
    const rows = page.getByRole('table').locator('tbody').getByRole('row');
    if (figure === 0) await expect(page.getByText(/^No (devices found\.|alerts|open alerts)/)).toBeVisible();
    else await expect(rows, `${address} has ${figure}`).toHaveCount(figure);
  }
});

test('the events of Home are chosen by topic, in the address', async ({ enter, estate }) => {
  await estate.device('silo-new');
  const { email } = await estate.user('Vera Viewer');
  const page = await enter(email);
  await page.goto('/?events=links');
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
