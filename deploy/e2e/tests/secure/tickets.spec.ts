import type { FrameLocator, Page } from '@playwright/test';
import { call } from '../../support/secure/call.ts';
import { expect, test } from '../../support/secure/test.ts';

interface Ticket {
  url: string;
  ticket: string;
}

/** Posts a ticket as the console does, into a frame of the page or in place of the page. */
function post(page: Page, { url, ticket }: Ticket, secret: string, target: 'stolen' | '_self'): Promise<void> {
  return page.evaluate(
    ([action, fields, into]) => {
      document.body.innerHTML = `<iframe name="stolen"></iframe><form method="post" target="${into}"></form>`;
      const form = document.forms[0];
      if (!form) return;
      form.action = action;
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement('input'), { name, value }));
      }
      form.submit();
    },
    [url, { ticket, secret }, target] as const,
  );
}

/** Opens the console, and waits until it has loaded, so that it sends no request after the test has replaced it. */
async function openConsole(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Titles of pages that a busy machine may show for a moment: the device's link is down, or a service has not answered. */
const PASSING = /^(Device offline|Not available)$/;

/**
 * Opens a page of a web service's host, again while it shows a passing state.
 * @param view where the page is shown
 * @returns the title of the page
 */
async function titleOf(view: Page | FrameLocator, open: () => Promise<unknown>): Promise<string> {
  let title = '';
  await expect(async () => {
    await open();
    title = await view.getByRole('heading').innerText();
    expect(title).not.toMatch(PASSING);
  }).toPass();
  return title;
}

test('the ticket of a frame opens nothing in another browser, at top level, by an address, or twice; a page says so', async ({
  enter,
  devices: { garden },
}) => {
  const secret = 'S'.repeat(43);
  const page = await enter('member');
  await openConsole(page);
  const ticket = () => call<Ticket>(page, 'POST', `/api/devices/${garden.id}/web-address`, { secret });
  const thief = await enter('otherMember');
  const [frame, thiefFrame] = [page.frameLocator('iframe'), thief.frameLocator('iframe')];
  const refused = 'Address used or too old';

  await openConsole(thief);
  const withAnotherSecret = async () => post(thief, await ticket(), 'T'.repeat(43), 'stolen');
  expect(await titleOf(thiefFrame, withAnotherSecret)).toBe(refused);
  const atTopLevel = async () => {
    await openConsole(thief);
    await post(thief, await ticket(), secret, '_self');
  };
  expect(await titleOf(thief, atTopLevel)).toBe(refused);
  const byAddress = async () => {
    const { url, ticket: known } = await ticket();
    await thief.goto(`${url}?${new URLSearchParams({ ticket: known, secret })}`);
  };
  expect(await titleOf(thief, byAddress)).toBe(refused);
  expect(await thief.context().cookies(garden.url)).toEqual([]);

  let used: Ticket = { url: '', ticket: '' };
  const asMeant = async () => post(page, (used = await ticket()), secret, 'stolen');
  expect(await titleOf(frame, asMeant)).toBe(garden.name);
  expect(await titleOf(frame, () => post(page, used, secret, 'stolen'))).toBe(refused);
});
