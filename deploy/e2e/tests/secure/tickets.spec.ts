import type { Page } from '@playwright/test';
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

test('the ticket of a frame opens nothing in another browser, at top level, by an address, or twice; a page says so', async ({
  enter,
  devices: { garden },
}) => {
  const secret = 'S'.repeat(43);
  const page = await enter('member');
  await page.goto('/');
  const ticket = () => call<Ticket>(page, 'POST', `/api/devices/${garden.id}/web-address`, { secret });
  const thief = await enter('otherMember');
  const refused = { name: 'Address used or too old' };

  await thief.goto('/');
  await post(thief, await ticket(), 'T'.repeat(43), 'stolen');
  await expect(thief.frameLocator('iframe').getByRole('heading', refused)).toBeVisible();
  await post(thief, await ticket(), secret, '_self');
  await expect(thief.getByRole('heading', refused)).toBeVisible();
  const { url, ticket: known } = await ticket();
  await thief.goto(`${url}?${new URLSearchParams({ ticket: known, secret })}`);
  await expect(thief.getByRole('heading', refused)).toBeVisible();
  expect(await thief.context().cookies(garden.url)).toEqual([]);

  const used = await ticket();
  await post(page, used, secret, 'stolen');
  await expect(page.frameLocator('iframe').getByRole('heading', { name: garden.name })).toBeVisible();
  await post(page, used, secret, 'stolen');
  await expect(page.frameLocator('iframe').getByRole('heading', refused)).toBeVisible();
});
