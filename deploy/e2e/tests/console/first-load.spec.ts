import type { Page } from '@playwright/test';
import { whole } from '../../support/browser.ts';
import { expect, measured, test } from '../../support/test.ts';

test.use({ launchOptions: whole });

/** Requests of a page that is opened for the first time, until nothing more comes; the stream of changes stays open. */
const REQUESTS = 15;
/** All that these bring on the wire, fonts and the hub's answers too, without their headers. */
const BYTES = 200_000;
const ROUNDS = 5;

/** Waits until nothing has changed lately: a page that is opened just after a change asks for what changed once more. */
async function quiet(page: Page): Promise<void> {
  await page.goto('/favicon.svg');
  const changed = () =>
    page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const source = new EventSource('/api/events?age=5000');
          const answer = (said: boolean) => () => (source.close(), resolve(said));
          for (const name of ['change', 'resync', 'error']) source.addEventListener(name, answer(true));
          source.addEventListener('current', answer(false));
        }),
    );
  await expect.poll(changed, { timeout: 60_000 }).toBe(false);
}

/** What a page asked for when Home was opened for the first time. */
interface Load {
  asked: string[];
  bytes: number;
  headers: number;
  /** Whether the hub said meanwhile that something has changed, which the page then asks for once more. */
  changed: boolean;
}

async function load(page: Page): Promise<Load> {
  await quiet(page);
  const loaded: Load = { asked: [], bytes: 0, headers: 0, changed: false };
  page.on('request', (request) => loaded.asked.push(new URL(request.url()).pathname));
  const wire = await page.context().newCDPSession(page);
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => (loaded.bytes += encodedDataLength));
  wire.on('Network.responseReceived', ({ type, response }) => {
    if (type !== 'EventSource') loaded.headers += response.encodedDataLength;
  });
  wire.on('Network.eventSourceMessageReceived', ({ eventName }) => {
    if (['change', 'resync'].includes(eventName)) loaded.changed = true;
  });
  await wire.send('Network.enable');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await expect(page.getByText('Longest offline')).toBeVisible();
  await expect(page.getByText(/^of \d+$/)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  return { ...loaded, asked: loaded.asked.filter((path) => path !== '/api/events') };
}

for (const who of ['member', 'superAdmin'] as const) {
  test(`Home asks for few files when a ${who} opens it`, async ({ enter }) => {
    let loaded = await load(await enter(who));
    for (let round = 1; loaded.changed && round < ROUNDS; round++) loaded = await load(await enter(who));
    const { asked, bytes, headers } = loaded;
    measured(`requests of the first load, ${who}`, asked.length, 'requests');
    measured(`bytes of the first load, ${who}`, bytes - headers, 'bytes');
    measured(`bytes of its headers, ${who}`, headers, 'bytes');
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(REQUESTS);
    expect(bytes - headers, asked.join('\n')).toBeLessThanOrEqual(BYTES);
    expect(asked.filter((path) => path.endsWith('.woff2'))).toEqual([expect.stringMatching(/inter-basic/)]);
    // Asked for once, by the document's head.
    expect(asked.filter((path) => path === '/auth/saml/getsession')).toHaveLength(1);
  });
}

/** Opens a page and gives the milliseconds from the navigation to the frame in which `selector` has text that fits. */
async function timeTo(page: Page, path: string, selector: string, pattern: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  return page.evaluate(
    ([where, what]) =>
      new Promise<number>((resolve) => {
        const fits = new RegExp(what ?? '');
        const look = () => {
          const there = [...document.querySelectorAll(where ?? '')].some((one) => fits.test(one.textContent));
          if (there) resolve(performance.now());
          else requestAnimationFrame(look);
        };
        look();
      }),
    [selector, pattern],
  );
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function repeat(run: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await run());
  return median(times);
}

test('how soon Home and the prompt of a terminal are there', async ({ enter, warren }) => {
  const home = (page: Page) => timeTo(page, '/', 'main', String.raw`of 1\D`);
  const prompt = (page: Page) => timeTo(page, `/device/ssh/${warren.facts.device.id}`, '.xterm-rows', '[$#] *$');
  const cold = await repeat(async () => {
    const page = await enter('member');
    const time = await home(page);
    await page.context().close();
    return time;
  });
  const page = await enter('member');
  await home(page);
  const warm = await repeat(() => home(page));
  await prompt(page);
  const terminal = await repeat(() => prompt(page));
  // What is shown is what is measured: an empty hub, on loopback. A busy machine is slow, not wrong.
  measured('Home, cold', cold, 'ms');
  measured('Home, warm', warm, 'ms');
  measured("terminal's prompt, warm", terminal, 'ms');
});
