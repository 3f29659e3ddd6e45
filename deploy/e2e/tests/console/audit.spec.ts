import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../../support/test.ts';

interface AuditedEvent {
  id: string;
  action: string;
  target: { name: string };
}

const rows = (page: Page) => page.getByRole('list', { name: 'Audit events' }).getByRole('listitem');

async function download(page: Page, format: string): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click();
  const arrives = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).click();
  return readFile(await (await arrives).path(), 'utf8');
}

test('the trail shows what happens now, moves no row that is read, exports what the filters show, and links to an event', async ({
  enter,
  estate,
  office,
}) => {
  const device = await estate.device('=orchard');
  const rename = (name: string) =>
    office.call('PUT', '/api/devices/change_hostname', { id: device.id, custom_name: name });
  await rename('=first');
  const page = await enter('superAdmin');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/audit?account=${estate.id}&action=device.*&live=yes`);
  await expect(rows(page).filter({ hasText: 'Rename device' })).toHaveCount(1);

  // Live: it comes by itself, while nothing is read.
  await rename('second');
  await expect(rows(page).filter({ hasText: 'Rename device' })).toHaveCount(2);

  // An opened event stays where it is; what comes meanwhile waits.
  const renamed = rows(page).filter({ hasText: 'Rename device' }).last();
  await renamed.getByRole('button', { expanded: false }).click();
  const changed = renamed.getByRole('table', { name: 'Changes' });
  await expect(changed.locator('[data-side=after]')).toHaveText('=first');
  const before = await renamed.boundingBox();
  await rename('third');
  const release = page.getByRole('button', { name: 'Show 1 new event' });
  await expect(release).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Rename device' })).toHaveCount(2);
  expect((await renamed.boundingBox())?.y).toBe(before?.y);
  await release.click();
  await expect(rows(page).filter({ hasText: 'Rename device' })).toHaveCount(3);

  // Both files have the events of the filters, and those alone.
  const path = `/api/audit/events?account=${estate.id}&action=device.*`;
  const { events } = await office.call<{ events: AuditedEvent[] }>('GET', path);
  expect(events.map(({ action }) => action)).toEqual([
    'device.rename',
    'device.rename',
    'device.rename',
    'device.enrol',
  ]);
  const lines = (await download(page, 'NDJSON (JSON lines)')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as AuditedEvent)).toEqual(events);
  const csv = (await download(page, 'CSV')).split('\r\n');
  expect(csv.slice(1, -1).map((line) => line.split(',').at(-1))).toEqual(events.map(({ id }) => id));
  expect(csv.join('\n')).not.toMatch(/(^|,)"?=/m);

  // The link that is copied shows the event to another person who may see it.
  await renamed.getByRole('button', { name: 'Copy link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(new RegExp(`/audit/${events[2]?.id}$`));
  const colleague = await enter('operatorAdmin');
  await colleague.goto(link);
  await expect(colleague.getByRole('heading', { name: 'Rename device' })).toBeVisible();
  await expect(colleague.getByRole('table', { name: 'Changes' }).locator('[data-side=after]')).toHaveText('=first');
  await expect(colleague.getByText(events[2]?.id ?? '')).toBeVisible();
  const stranger = await enter('otherOwner');
  await stranger.goto(link);
  await expect(stranger.getByText('There is no such event.')).toBeVisible();
});
