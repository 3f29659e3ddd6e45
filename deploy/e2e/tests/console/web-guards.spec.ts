import type { Frame, Page } from '@playwright/test';
import { setWeb } from '../../support/api.ts';
import { whole } from '../../support/browser.ts';
import { LocalServer } from '../../support/local.server.ts';
import { expect, test } from '../../support/test.ts';

test.use({ launchOptions: whole });

/** Where the hostile page leads: served by this machine itself, not by the hub. */
const elsewhere = () => `http://127.0.0.1:${server.port}/elsewhere`;
/** Tries, at a click, to replace the console: by itself, and by a window that is in no sandbox. */
const hostile = () => `<!doctype html><title>hostile</title>
  <button onclick="top.location = '${elsewhere()}'">leave</button>
  <button onclick="window.open('/popup')">popup</button>`;
const popupPage = () => `<!doctype html><title>popup</title>
  <script>try { opener.top.location = '${elsewhere()}'; } catch {} document.title = 'tried';</script>`;
const FEATURES = ['clipboard-read', 'camera', 'microphone', 'geolocation'];

let server: LocalServer;

test.beforeAll(async () => {
  server = await LocalServer.start((request, response) => {
    response.setHeader('Content-Type', 'text/html').end(request.url === '/popup' ? popupPage() : hostile());
  });
});
test.afterAll(async () => server?.stop());

async function frameOf(page: Page, address: string): Promise<Frame> {
  await page.goto(`/device/web/${address}`);
  await expect(page.frameLocator('iframe').getByRole('button', { name: 'leave' })).toBeVisible();
  const frame = page.frames().find((one) => one.url() === `http://${address}/`);
  if (!frame) throw new Error('the device page is in no frame');
  return frame;
}

/** Clicks `leave` again where nothing happened, as a person does: Chromium may drop input before the first paint. */
async function clickUntil(frame: Frame, seen: () => Promise<void>): Promise<void> {
  await expect(async () => {
    if (!frame.isDetached()) await frame.getByRole('button', { name: 'leave' }).click({ timeout: 2_000 });
    await seen();
  }).toPass();
}

/** Of the features, those that a page may use. */
function allowed(page: Page | Frame): Promise<string[]> {
  return page.evaluate((features) => {
    type Policy = { featurePolicy: { allowsFeature: (feature: string) => boolean } };
    const { featurePolicy } = (globalThis as unknown as { document: Policy }).document;
    return features.filter((feature) => featurePolicy.allowsFeature(feature));
  }, FEATURES);
}

test('a device page gets neither clipboard, camera, microphone nor location, and can not replace the console', async ({
  enter,
  warren,
}) => {
  const { hub, device } = warren.facts;
  const { request } = await enter('superAdmin');
  const { http_address: address } = await setWeb(request, hub, device.id, server.port);
  const page = await enter('member');
  const frame = await frameOf(page, address);
  expect(await allowed(frame)).toEqual([]);
  let refused = false;
  page.on('console', (message) => (refused ||= message.text().includes('sandboxed')));
  await clickUntil(frame, () => expect.poll(() => refused, { timeout: 5_000 }).toBe(true));
  const opened = page.waitForEvent('popup');
  await frame.getByRole('button', { name: 'popup' }).click();
  const popup = await opened;
  await expect(popup).toHaveTitle('tried');
  expect(page.url()).toBe(`${hub}/device/web/${address}`);
  await popup.goto(`http://${address}/`);
  expect(await allowed(popup)).toEqual([]);
});

test('what is switched on for a device in the dialog, its page may do', async ({ enter, warren }) => {
  const { hub, device } = warren.facts;
  const operator = await enter('superAdmin');
  const { http_address: address } = await setWeb(operator.request, hub, device.id, server.port);
  await operator.goto(`/device/ssh/${device.id}`);
  await operator.getByRole('button', { name: 'Wormhole', exact: true }).click();
  await operator.getByRole('button', { name: 'Change port' }).click();
  const dialog = operator.getByRole('dialog');
  for (const name of ['Read the clipboard', 'Use the camera', 'Replace the console with another page, at a click'])
    await dialog.getByRole('checkbox', { name }).check();
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await expect(dialog).toBeHidden();
  const page = await enter('member');
  const frame = await frameOf(page, address);
  expect(await allowed(frame)).toEqual(['clipboard-read', 'camera']);
  await clickUntil(frame, () => page.waitForURL(elsewhere(), { timeout: 5_000 }));
  await setWeb(operator.request, hub, device.id, server.port);
});

test('the ticket of a frame opens nothing in another browser, by an address, or outside a frame', async ({
  enter,
  warren,
}) => {
  const { hub, device } = warren.facts;
  const { request } = await enter('superAdmin');
  const { http_address: address } = await setWeb(request, hub, device.id, server.port);
  const page = await enter('member');
  const secret = 'S'.repeat(43);
  const ticket = async () => {
    const asking = { headers: { origin: hub }, data: { secret } };
    const made = await page.request.post(`/api/devices/${device.id}/web-address`, asking);
    return (await made.json()) as { url: string; ticket: string };
  };
  const thief = await enter(null);
  const post = (where: { url: string; ticket: string }, target: string, known: string) =>
    thief.evaluate(
      ([url, stolen, into, guess]) => {
        document.body.innerHTML = `<iframe name="frame"></iframe>
          <form method="post" action="${url}" target="${into}"><input name="ticket" value="${stolen}"><input name="secret" value="${guess}"></form>`;
        document.querySelector('form')?.submit();
      },
      [where.url, where.ticket, target, known] as const,
    );
  for (const [target, known] of [
    ['frame', 'T'.repeat(43)],
    ['_self', secret],
  ] as const) {
    await thief.goto(`http://127.0.0.1:${server.port}/`);
    const stolen = await ticket();
    const answer = thief.waitForResponse(stolen.url);
    await post(stolen, target, known);
    expect((await answer).status(), target).toBe(403);
  }
  const stolen = await ticket();
  const tab = await thief.context().newPage();
  expect((await tab.goto(`${stolen.url}?ticket=${stolen.ticket}&secret=${secret}`))?.status()).toBe(403);
  await expect(tab.getByRole('heading', { name: 'Address used or too old' })).toBeVisible();
  expect(await thief.context().cookies(`http://${address}`)).toEqual([]);
});

test('cookies that fill every request to the hub show a page whose button deletes them', async ({ enter, warren }) => {
  const { hub } = warren.facts;
  const page = await enter('member');
  const bomb = Array.from({ length: 150 }, (_, index) => ({ name: `b${index}`, value: 'x'.repeat(4_000), url: hub }));
  // Below what is too much, everything works as ever.
  await page.context().addCookies(bomb.slice(0, 10));
  await page.goto('/home');
  await expect(page.getByRole('main')).toBeVisible();
  await page.context().addCookies(bomb);
  const refused = await page.goto('/home');
  expect(refused?.status()).toBe(431);
  await expect(page.getByRole('heading', { name: 'Too many cookies' })).toBeVisible();
  expect((await page.context().cookies(hub)).length).toBeGreaterThan(bomb.length);
  await page.getByRole('button', { name: 'Delete cookies' }).click();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await expect(page.getByRole('heading', { name: 'Cookies deleted' })).toBeHidden();
  expect(await page.context().cookies(hub)).toEqual([]);
});

test('a link with a long address on a foreign page does not sign people out of the hub', async ({ enter, warren }) => {
  const { hub } = warren.facts;
  const page = await enter('member');
  const signedIn = await page.context().cookies(hub);
  const long = `${hub}/?${'x'.repeat(70_000)}`;
  await page.goto('data:text/html,<a>Look</a>');
  await page.evaluate((href) => document.querySelector('a')?.setAttribute('href', href), long);
  const answer = page.waitForResponse((response) => response.url() === long);
  await page.getByText('Look').click();
  expect((await answer).status()).toBe(414);
  await expect(page.getByRole('heading', { name: 'Address too long' })).toBeVisible();
  expect(await page.context().cookies(hub)).toEqual(signedIn);
});
