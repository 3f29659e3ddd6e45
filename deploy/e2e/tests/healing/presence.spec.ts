import type { Page } from '@playwright/test';
import { DevicesPage } from '../../pages/devices.ts';
import { device, linkId } from '../../support/api.ts';
import { SOAK } from '../../support/soak.ts';
import { expect, measured, test } from '../../support/test.ts';

const bound = 10_000;
/** The longest an agent waits, after an outage of so many milliseconds, before it dials again (`REDIAL` in agent/src/link/backoff.ts). */
const redialWait = (outage: number) => 500 + (outage * 2) / 3;

/** A list with live updates: nothing here reloads it. */
async function openList(page: Page, { id, account }: { id: string; account: string }) {
  const { name } = await device(page.request, id);
  const row = await new DevicesPage(page).only(account, name);
  await expect(row).toContainText('Connected');
  return {
    async becomes(status: 'Connected' | 'Reconnecting', since: number, timeout = bound) {
      await expect(row.getByText(status, { exact: true })).toBeVisible({ timeout });
      return Date.now() - since;
    },
  };
}

test('a killed agent shows as Reconnecting, and as Connected once it is back, without a reload', async ({
  as,
  warren,
}) => {
  const list = await openList(await as('member'), warren.facts.device);
  let since = Date.now();
  // Shown for 10 seconds only.
  const [took] = await Promise.all([list.becomes('Reconnecting', since), warren.hold('agent')]);
  measured('agent killed, to Reconnecting on the page', took, 'ms');
  since = Date.now();
  await warren.start('agent');
  measured('agent started, to Connected on the page', await list.becomes('Connected', since), 'ms');
});

test('a killed tunnels process shows as Reconnecting, and as Connected once it is back', async ({ as, warren }) => {
  const list = await openList(await as('member'), warren.facts.device);
  const killed = Date.now();
  const [took] = await Promise.all([list.becomes('Reconnecting', killed), warren.hold('tunnels')]);
  measured('tunnels killed, to Reconnecting on the page', took, 'ms');
  // How long a program takes to load is the machine's affair, and the agent's wait grows with it.
  await warren.start('tunnels');
  const serving = Date.now();
  const timeout = bound + redialWait(serving - killed);
  measured('tunnels serving, to Connected on the page', await list.becomes('Connected', serving, timeout), 'ms');
});

test('after kill -9 of tunnels the device is Connected again by itself', SOAK, async ({ as, warren }) => {
  const page = await as('member');
  const { id } = warren.facts.device;
  const list = await openList(page, warren.facts.device);
  // The link's own name: a device that is back at once never shows as Reconnecting in between.
  const link = () => linkId(page.request, id);
  const before = await link();
  expect(before).not.toBe('');
  const since = Date.now();
  await warren.kill('tunnels');
  await warren.ready('tunnels');
  const timeout = bound + redialWait(Date.now() - since);
  const again = async () => {
    const now = await link();
    return now !== '' && now !== before && (await device(page.request, id)).status === 'Connected';
  };
  await expect.poll(again, { timeout, intervals: [50] }).toBe(true);
  measured('tunnels killed and restarted, to Connected by the API', Date.now() - since, 'ms');
  await list.becomes('Connected', since);
});

test('another account hears nothing of it', async ({ as, warren }) => {
  const listen = async (page: Page) => {
    await page.evaluate(async () => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const source = new EventSource('/api/events');
      source.addEventListener('change', (event) => heard.push((event as MessageEvent<string>).data));
      await new Promise((resolve) => source.addEventListener('open', resolve));
    });
    return () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));
  };
  const own = await listen(await as('member'));
  const strange = await listen(await as('otherMember'));
  const { id, account } = warren.facts.device;
  await warren.kill('agent');
  await warren.ready('agent');
  await expect.poll(async () => (await own()).split(id).length - 1).toBeGreaterThanOrEqual(2);
  expect(await strange()).not.toContain(id);
  expect(await strange()).not.toContain(account);
});
