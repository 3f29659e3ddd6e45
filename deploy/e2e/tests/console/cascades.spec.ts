import type { Page } from '@playwright/test';
import { TerminalPage } from '../../pages/terminal.ts';
import { Estate, type MadeUser, type Office } from '../../support/office.ts';
import { expect, measured, test } from '../../support/test.ts';

/** How soon a right that is withdrawn must be gone: two seconds, and as much again for a browser on a busy machine. */
const within = 4_000;

/** A new person in the account of this machine. */
function newcomer(office: Office, account: string, name: string): Promise<MadeUser> {
  return new Estate(office, account, 'Meadow Farms').user(name);
}

/** Moves this machine, and waits until it is available again to those who may reach it now. */
async function move(office: Office, id: string, account: string): Promise<void> {
  await office.call('PUT', '/api/devices/change_account', { id, account });
  const status = async () =>
    (await office.call<{ result: { status: string } }>('GET', `/api/devices/${id}`)).result.status;
  await expect.poll(status).toBe('Connected');
}

/** Opens the shell of this machine and leaves it at work. */
async function openShell(page: Page, device: string): Promise<TerminalPage> {
  const terminal = new TerminalPage(page);
  await terminal.openReady(device);
  return terminal;
}

/** Does something, and measures until what it leads to is seen. */
async function timed(what: string, act: () => Promise<unknown>, seen: () => Promise<unknown>): Promise<void> {
  const since = Date.now();
  await Promise.all([act(), seen()]);
  const took = Date.now() - since;
  measured(what, took, 'ms');
  expect(took, what).toBeLessThan(within);
}

test('a user who is disabled loses the shell and the console at once, and sees why', async ({
  enter,
  office,
  warren,
}) => {
  const { id, account } = warren.facts.device;
  const user = await newcomer(office, account, 'Dana Gone');
  const page = await enter(user.email);
  await openShell(page, id);
  await timed(
    'user disabled, to being out of the console',
    () => office.call('PATCH', `/api/users/${user.id}`, { status: 'Inactive' }),
    () => expect(page.locator('.xterm')).toHaveCount(0, { timeout: 2 * within }),
  );
  await office.call('DELETE', `/api/users/${user.id}`);
});

test('a user who is deleted is out of every window', async ({ enter, office, warren }) => {
  const { id, account } = warren.facts.device;
  const user = await newcomer(office, account, 'Dele Gone');
  const [page, second] = [await enter(user.email), await enter(user.email)];
  await openShell(page, id);
  await second.goto(`/devices/${account}`);
  await expect(second.getByRole('row').filter({ hasText: 'Connected' }).first()).toBeVisible();
  await timed(
    'user deleted, to being out of every window',
    () => office.call('DELETE', `/api/users/${user.id}`),
    async () => {
      await expect(page.locator('.xterm')).toHaveCount(0, { timeout: 2 * within });
      await expect(second.getByRole('table')).toHaveCount(0, { timeout: 2 * within });
    },
  );
});

test('an account that is disabled and deleted takes its people along', async ({ enter, estate, office, warren }) => {
  const user = await estate.user('Abel Gone');
  const page = await enter(user.email);
  const { id, account } = warren.facts.device;
  await move(office, id, estate.id);
  try {
    await openShell(page, id);
    await timed(
      'account disabled, to being out of the console',
      () => office.call('PATCH', `/api/accounts/${estate.id}/status/Inactive`),
      () => expect(page.locator('.xterm')).toHaveCount(0, { timeout: 2 * within }),
    );
  } finally {
    await move(office, id, account);
  }
});

test('people without access to a moved device lose its shell, and see why', async ({
  enter,
  estate,
  office,
  warren,
}) => {
  const { id, account } = warren.facts.device;
  const user = await estate.user('Mona Left');
  await move(office, id, estate.id);
  try {
    const [page, operator] = [await enter(user.email), await enter('superAdmin')];
    await openShell(page, id);
    const shell = await openShell(operator, id);
    await timed(
      'device moved, to being cut off',
      () => office.call('PUT', '/api/devices/change_account', { id, account }),
      () => expect(page.getByText('Failed to fetch device details')).toBeVisible({ timeout: 2 * within }),
    );
    await expect(page.getByText('This device is not here any more, or it is not yours to see.')).toBeVisible();
    await expect(page.locator('.xterm')).toHaveCount(0);
    // Who may reach it there too keeps the shell.
    await shell.run('echo still-$((6*7))');
    await shell.expectLine('still-42');
  } finally {
    await move(office, id, account);
  }
});
