import type { APIRequestContext, Page } from '@playwright/test';
import { TerminalPage } from '../../pages/terminal.ts';
import { endTerminals, getJson } from '../../support/api.ts';
import { person } from '../../support/people.ts';
import { expect, test } from '../../support/test.ts';

const observed = (page: Page) => page.getByRole('alert').filter({ hasText: 'this terminal without consent' });

/** The address that opens the terminal of a page. */
async function linkOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'People in this terminal' }).click();
  const link = await page.locator('[data-link]').getAttribute('data-link');
  await page.keyboard.press('Escape');
  return link ?? '';
}

/** Switches the rule on the page Access, as people do. */
async function allow(page: Page, account: string): Promise<void> {
  await page.goto(`/access/${account}`);
  await expect(page.getByText('Nobody observes a terminal without its owner’s consent.')).toBeVisible();
  await page.getByRole('button', { name: 'Edit rules' }).click();
  await page.getByRole('switch', { name: 'Owner and Admins may observe terminals without consent' }).click();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await expect(page.getByText('Owner and Admins may observe terminals without consent.')).toBeVisible();
}

async function forbid(request: APIRequestContext, hub: string, account: string): Promise<void> {
  const rules = `/api/accounts/${account}/access/rules`;
  const { approver_group_name: _name, ...present } = await getJson<Record<string, unknown>>(request, rules);
  const data = { ...present, observe_terminals: false };
  const answer = await request.put(rules, { headers: { origin: hub }, data });
  expect(answer.status()).toBe(200);
}

test('an Admin is let in by the owner of a terminal, and observes without consent where the account allows it', async ({
  enter,
  warren,
}) => {
  test.setTimeout(180_000);
  const { hub, device } = warren.facts;
  const owner = new TerminalPage(await enter('member'));
  const admin = new TerminalPage(await enter('admin'));
  const adminEmail = person('admin').email;
  await endTerminals(owner.page.request, hub, device.id);
  await owner.openReady(device.id);
  const link = await linkOf(owner.page);
  const session = new URL(link).searchParams.get('session');
  try {
    await test.step('the owner is asked first, and says no', async () => {
      await admin.page.goto(link);
      await expect(admin.page.getByText('Waiting for the owner to let you in').first()).toBeVisible();
      const asks = owner.page.getByRole('alert').filter({ hasText: `${adminEmail} asks to join` });
      await asks.getByRole('button', { name: 'Decline' }).click();
      await expect(admin.page.getByText("The terminal's owner declined.").first()).toBeVisible();
      await expect(observed(owner.page)).toBeHidden();
    });

    await test.step('the account allows it, and the terminal shows who observes', async () => {
      await allow(admin.page, device.account);
      await admin.page.goto(link);
      await admin.expectState('connected');
      await expect(observed(owner.page)).toHaveText(
        `${adminEmail} observes this terminal without consent. The account lets its Owner and Admins do that.`,
      );
      await expect(admin.page.getByText(`You observe the terminal of ${person('member').email}`)).toBeVisible();
      await admin.focus();
      await admin.page.keyboard.type('echo from-the-observer\n');
      await owner.run('echo mark-$((6*7))');
      for (const screen of [owner, admin]) await screen.expectLine('mark-42');
      expect((await owner.lines()).join('\n')).not.toContain('from-the-observer');
      await owner.page.getByRole('button', { name: 'People in this terminal' }).click();
      await expect(owner.page.getByRole('listitem', { name: adminEmail })).toContainText('Observes');
      await owner.page.keyboard.press('Escape');
    });

    await test.step('the list of terminals leads there as well', async () => {
      await admin.openReady(device.id);
      await admin.page.getByRole('button', { name: 'Your terminals' }).click();
      const others = admin.page.getByRole('region', { name: 'Terminals of others' });
      const row = others.getByRole('listitem').filter({ hasText: person('member').email });
      const [eye] = await Promise.all([
        admin.page.waitForEvent('popup'),
        row.getByRole('link', { name: 'Observe' }).click(),
      ]);
      await new TerminalPage(eye).expectState('connected');
      await expect(eye.getByText(`You observe the terminal of ${person('member').email}`)).toBeVisible();
      await expect(observed(owner.page)).toBeVisible();
      await eye.close();
      await admin.page.goto(link);
      await admin.expectState('connected');
    });

    await test.step('the audit trail has both', async () => {
      const actions = async () => {
        const path = '/api/audit/events?limit=50&action=terminal.observe,account.set_access_rules';
        const { events } = await getJson<{ events: { action: string; details: { terminal?: string } }[] }>(
          admin.page.request,
          path,
        );
        return events.flatMap(({ action, details }) => ((details.terminal ?? session) === session ? [action] : []));
      };
      await expect.poll(actions).toEqual(expect.arrayContaining(['terminal.observe', 'account.set_access_rules']));
    });

    await test.step('it ends with the rule', async () => {
      await forbid(admin.page.request, hub, device.account);
      await expect(
        admin.page.getByText('Your account does not let you observe terminals without consent any more.').first(),
      ).toBeVisible();
      await expect(observed(owner.page)).toBeHidden();
      await owner.run('echo on-$((6*7))');
      await owner.expectLine('on-42');
    });
  } finally {
    await forbid(admin.page.request, hub, device.account);
    await endTerminals(owner.page.request, hub, device.id);
  }
});
