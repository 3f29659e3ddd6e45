import { Shell } from '../../pages/shell.ts';
import { everybody, operators, person, type Who } from '../../support/people.ts';
import { expect, test } from '../../support/test.ts';

/** What a role reaches; where it does not, the console goes home. */
interface Reach {
  menu: string[];
  /** Devices of all accounts, and anything of another account. */
  allAccounts: boolean;
  /** The directories of accounts and of all users. */
  directories: boolean;
  /** Users and groups of the own account. */
  people: boolean;
  settings: boolean;
  addDevice: boolean;
}

const member: Reach = {
  menu: ['Home', 'Devices', 'Alerts'],
  allAccounts: false,
  directories: false,
  people: false,
  settings: false,
  addDevice: false,
};
const admin: Reach = { ...member, menu: ['Home', 'Devices', 'Alerts', 'Users', 'Groups', 'Audit trail'], people: true };
const owner: Reach = { ...admin, addDevice: true };
const operatorAdmin: Reach = {
  ...admin,
  menu: ['Home', 'Accounts', 'Devices', 'Alerts', 'Users', 'Groups', 'Audit trail'],
  allAccounts: true,
  directories: true,
};
const superAdmin: Reach = {
  ...operatorAdmin,
  menu: ['Home', 'Accounts', 'Devices', 'Alerts', 'Users', 'Groups', 'Updates', 'Audit trail', 'Settings'],
  settings: true,
  addDevice: true,
};
const reach: Record<Who, Reach> = {
  superAdmin,
  operatorAdmin,
  operatorMember: { ...member, allAccounts: true },
  owner,
  admin,
  member,
  otherOwner: owner,
  otherMember: member,
};

for (const who of everybody) {
  const { role, account } = person(who);
  const own = reach[who];
  test(`what the ${role} of ${account} is shown`, async ({ as, warren }) => {
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

  test(`where the guard lets the ${role} of ${account}`, async ({ as, warren }) => {
    const page = await as(who);
    const foreign = warren.account(account === 'Harbour Lab' ? 'Meadow Farms' : 'Harbour Lab');
    const mine = warren.account(account);
    const visits: [string, boolean][] = [
      ['/devices', own.allAccounts],
      ['/devices/ALL', own.allAccounts],
      [`/devices/${foreign}`, own.allAccounts],
      ['/accounts', own.directories],
      ['/users', own.directories],
      [`/users/${mine}`, own.people],
      [`/groups/${mine}`, own.people],
      [`/updates/${mine}`, own.people],
      [`/updates/${foreign}`, own.people && own.allAccounts],
      [`/limits/${mine}`, own.people || own.allAccounts],
      [`/limits/${foreign}`, own.allAccounts],
      [`/users/${foreign}`, own.people && own.allAccounts],
      [`/groups/${foreign}`, own.people && own.allAccounts],
      ['/settings', own.settings],
      ['/updates', own.settings],
      ['/profile', true],
    ];
    for (const [path, open] of visits) {
      await page.goto(path);
      await expect(page, path).toHaveURL(open ? path : '/');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
  });
}

/** What the API answers each role: the console's menu is no protection. */
const calls: Record<string, Who[]> = {
  '/api/users': ['superAdmin', 'operatorAdmin', 'owner', 'admin', 'otherOwner'],
  '/api/groups': ['superAdmin', 'operatorAdmin', 'owner', 'admin', 'otherOwner'],
  '/api/accounts': [...operators],
  '/api/devices': [...everybody],
  '/api/home': [...everybody],
};

test('the API allows each role what the table says', async ({ as }) => {
  for (const who of everybody) {
    const { request } = await as(who);
    for (const [path, allowed] of Object.entries(calls)) {
      expect((await request.get(path)).status(), `${who} ${path}`).toBe(allowed.includes(who) ? 200 : 403);
    }
  }
});

test('lists of users show a customer its own account only', async ({ as, warren }) => {
  const { request } = await as('owner');
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
