import type { Frame, FrameLocator, Page } from '@playwright/test';
import { until } from '@warren/infra/until';
import { GuestLinks, GuestPage } from '../../pages/guest.ts';
import { device, setWeb } from '../../support/api.ts';
import { whole } from '../../support/browser.ts';
import { connectPumpHouse } from '../../support/connected.ts';
import { GuestPageServer } from '../../support/guest.page.ts';
import { allowGuestLinks, expectNoUser, guestEvents } from '../../support/guests.ts';
import { expect, measured, test } from '../../support/test.ts';

test.use({ launchOptions: whole });

/** What a guest has open has to end within this. */
const PROMISED_MS = 2_000;

let own: GuestPageServer;
let other: GuestPageServer;

test.beforeAll(async () => {
  own = await GuestPageServer.start('Pump control');
  other = await GuestPageServer.start('Camera');
});
test.afterAll(async () => {
  await own?.stop();
  await other?.stop();
});

/** The page of the service with its WebSocket and its download. */
async function expectRunning(page: Page | FrameLocator): Promise<void> {
  await expect(page.getByRole('heading', { name: own.name })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('#socket')).toHaveText('open');
  await expect(page.locator('#download')).toHaveText('running');
}

const statusOf = (page: Page | Frame): Promise<number> =>
  page.evaluate(async () => (await fetch('/', { redirect: 'manual' })).status);

test('a guest opens one web service by a link, nothing else of the device, and is out within 2 s', async ({
  enter,
  estate,
  office,
  warren,
}) => {
  test.setTimeout(240_000);
  const { hub } = warren.facts;
  const member = await estate.user('Max Field');
  const boss = await enter('superAdmin');
  const { agent, id } = await connectPumpHouse(boss.request, hub, estate);
  try {
    await setWeb(boss.request, hub, id, own.port);
    await allowGuestLinks(office, estate);

    const host = await enter(member.email);
    await host.goto(`/devices/${estate.id}/${id}`);
    const links = new GuestLinks(host);
    await links.open.click();
    await links.dialog.getByRole('combobox', { name: 'Opens' }).click();
    await host.getByRole('option', { name: 'Web service' }).click();
    await expect(links.dialog.getByText(`Opens the web service at 127.0.0.1:${own.port}`)).toBeVisible();
    const link = await links.create();

    const guest = await enter(null);
    await guest.goto(link);
    await expect(guest.getByText('Max Field invites you to a web service')).toBeVisible();
    const visit = new GuestPage(guest);
    await visit.join('Grace of Pumps Ltd', 'web service');
    const frame = guest.frameLocator('iframe');
    await expectRunning(frame);
    const row = links.list.getByRole('listitem', { name: `Web service, port ${own.port}, by Max Field` });
    await expect(row).toContainText('Here now');

    const opening = guest.waitForEvent('popup');
    await guest.getByRole('link', { name: 'Open in a new tab' }).click();
    const tab = await opening;
    await expectRunning(tab);
    const address = (await device(boss.request, id)).http_address;
    expect(new URL(tab.url()).host).toBe(address);

    // Neither the page nor its server sees what the hub knows the guest by.
    expect(await tab.evaluate(() => (globalThis as unknown as { document: { cookie: string } }).document.cookie)).toBe(
      '',
    );
    expect(own.cookies.filter((cookie) => /warren/i.test(cookie))).toEqual([]);
    await expectNoUser(guest.request, id);
    const ask = (path: string, data: object) => guest.request.post(path, { headers: { origin: hub }, data });
    expect((await ask('/api/guest/socket-token', {})).status()).toBe(403);
    expect((await ask(`/api/devices/${id}/web-address`, { secret: 's'.repeat(43) })).status()).toBe(401);

    // Another web service of the device, at the same host.
    await setWeb(boss.request, hub, id, other.port);
    await until(async () => (await statusOf(tab)) !== 200, PROMISED_MS);
    await expect(tab.locator('#socket')).toHaveText('closed');
    await expect(guest.getByText('The web service no longer exists')).toBeVisible();
    expect((await tab.goto(`http://${address}/`))?.status()).toBe(409);
    expect((await ask('/api/guest/web-address', { secret: 's'.repeat(43) })).status()).toBe(409);
    expect(other.cookies).toEqual([]);
    await setWeb(boss.request, hub, id, own.port);
    await expectRunning(frame);
    await tab.goto(`http://${address}/`);
    await expectRunning(tab);

    const began = performance.now();
    await row.getByRole('button', { name: /^End the guest link/ }).click();
    await Promise.all([
      expect(tab.locator('#socket')).toHaveText('closed', { timeout: PROMISED_MS }),
      expect(tab.locator('#download')).toHaveText('cut', { timeout: PROMISED_MS }),
      until(() => own.open === 0, PROMISED_MS),
      until(async () => (await statusOf(tab)) !== 200, PROMISED_MS),
      expect(guest.locator('iframe')).toHaveCount(0, { timeout: PROMISED_MS }),
    ]);
    measured('the web service of a guest ends after its host has ended it', performance.now() - began, 'ms');
    await visit.expectEnded();
    expect((await tab.goto(`http://${address}/`))?.status()).toBe(401);
    await expect(tab.getByRole('heading', { name: 'Guest access ended' })).toBeVisible();
    for (const _reload of [1, 2]) expect((await tab.reload())?.status()).toBe(401);
    await expect(tab.getByRole('heading', { name: 'Guest access ended' })).toBeVisible();
    await guest.reload();
    await visit.expectEnded();

    const seen = async () => (await guestEvents(office, estate)).map((one) => `${one.action} ${one.actor.name}`);
    const expected = ['web_service.open', 'web_service.close'].map((action) => `${action} Grace of Pumps Ltd`);
    await expect.poll(seen).toEqual(expect.arrayContaining(expected));
  } finally {
    await agent.remove();
  }
});
