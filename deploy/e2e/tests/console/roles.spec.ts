import { Shell } from '../../pages/shell.ts';
import { everybody, operators, person, type Who } from '../../support/people.ts';
import { soakBut } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

/** What a role is shown; where its routes lead and what the API allows it are tables of the matrix. */
interface Shown {
  menu: string[];
  /** Devices of all accounts. */
  allAccounts: boolean;
  addDevice: boolean;
}

const member: Shown = { menu: ['Home', 'Devices', 'Alerts'], allAccounts: false, addDevice: false };
const admin: Shown = { ...member, menu: ['Home', 'Devices', 'Alerts', 'Users', 'Groups', 'Audit trail', 'Recordings'] };
const owner: Shown = { ...admin, addDevice: true };
const operatorAdmin: Shown = {
  menu: ['Home', 'Accounts', 'Devices', 'Alerts', 'Users', 'Groups', 'Audit trail', 'Recordings'],
  allAccounts: true,
  addDevice: false,
};
const superAdmin: Shown = {
  menu: [
    'Home',
    'Accounts',
    'Devices',
    'Alerts',
    'Users',
    'Groups',
    'Updates',
    'Audit trail',
    'Recordings',
    'Settings',
  ],
  allAccounts: true,
  addDevice: true,
};
const shown: Record<Who, Shown> = {
  superAdmin,
  operatorAdmin,
  operatorMember: { ...member, allAccounts: true },
  owner,
  admin,
  member,
  otherOwner: owner,
  otherMember: member,
};

/** The routes and operations of each role are in the matrix. */
const soak = soakBut('operatorAdmin', 'owner', 'member');

for (const who of everybody) {
  const { role, account } = person(who);
  const own = shown[who];
  test(`what the ${role} of ${account} is shown`, soak(who), async ({ as, warren }) => {
    const page = await as(who);
    const shell = new Shell(page);
    await expect.poll(() => shell.entries()).toEqual(own.menu);
    await expect(shell.accountSelect).toHaveCount(operators.includes(who) ? 1 : 0);

    await page.getByRole('link', { name: 'View devices' }).click();
    await expect(page).toHaveURL(own.allAccounts ? '/devices' : `/devices/${warren.account(account)}`);
    const title = own.allAccounts ? 'ALL Accounts / Devices list' : `${account} Account / Devices list`;
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);

    await page.goto(`/devices/${warren.account(account)}`);
    await expect(page.getByRole('combobox', { name: 'Search devices' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add device' }).first()).toBeVisible({ visible: own.addDevice });
  });
}

test('lists of users show a customer its own account only', async ({ enter, warren }) => {
  const { request } = await enter('owner');
  const { users } = (await (await request.get('/api/users')).json()) as { users: { account: string }[] };
  expect(users.length).toBeGreaterThan(0);
  expect(new Set(users.map(({ account }) => account))).toEqual(new Set([warren.account('Meadow Farms')]));
});

test('the account selector is remembered and changes the list', async ({ as, warren }) => {
  const page = await as('superAdmin');
  const { accountSelect } = new Shell(page);
  await page.goto('/devices');
  await accountSelect.click();
  await page.getByRole('option', { name: 'Meadow Farms' }).click();
  await expect(page).toHaveURL(`/devices/${warren.facts.device.account}`);
  await page.goto('/');
  await expect(accountSelect).toHaveValue('Meadow Farms');
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Devices' }).click();
  await expect(page).toHaveURL(`/devices/${warren.facts.device.account}`);
});
