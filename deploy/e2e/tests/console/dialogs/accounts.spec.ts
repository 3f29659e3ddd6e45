import { Dialog, expectToast } from '../../../pages/dialog.ts';
import { ListPage } from '../../../pages/list.ts';
import { mark } from '../../../support/matrix/bodies.ts';
import { SOAK } from '../../../support/soak.ts';
import { expect, test } from '../../../support/test.ts';

test('Create account: it appears in the list, also in another open browser', SOAK, async ({ enter }) => {
  const [page, onlooker] = [await enter('superAdmin'), await enter('operatorAdmin')];
  const name = `Vineyard ${mark()}`;
  const [list, other] = [new ListPage(page, 'Accounts Directory'), new ListPage(onlooker, 'Accounts Directory')];
  await onlooker.goto(`/accounts?search=${name}`);
  await expect(onlooker.getByText('No accounts found.')).toBeVisible();
  await expect(other.button('Create account')).toHaveCount(0);
  await page.goto(`/accounts?search=${name}`);
  await list.button('Create account').first().click();
  const dialog = new Dialog(page, 'Create account');
  await dialog.field('Account name').fill(name);
  await page.keyboard.press('Enter');
  await expectToast(page, 'account successfully created', `${name} is ready. Assign its owner next.`);
  await dialog.expectGone();
  for (const one of [list, other]) {
    await expect(one.row(name)).toContainText('Active');
    await expect(one.row(name)).toContainText('No owner');
  }
});

test('Assign owner invites a new person; Change owner makes the one before an Admin', async ({
  enter,
  estate,
  office,
}) => {
  const first = await estate.user('Ada Vintner', 'Admins');
  const page = await enter('superAdmin');
  const list = new ListPage(page, 'Accounts Directory');
  await page.goto(`/accounts?search=${estate.name}`);

  await list.act(estate.name, 'Assign owner');
  const assign = new Dialog(page, 'Assign owner');
  const email = estate.address('owner');
  await assign.field('Owner email').fill(email);
  await assign.confirm('Assign owner');
  await expectToast(
    page,
    'owner successfully assigned',
    `${email} is the owner of ${estate.name}, or is invited to be.`,
  );
  await expect(list.row(estate.name)).toContainText(email);
  await expect(list.row(estate.name)).toContainText('Pending Invitation');

  for (const [next, owner] of [
    ['Ada Vintner', first.email],
    ['Ben Cooper', (await estate.user('Ben Cooper')).email],
  ] as const) {
    await list.act(estate.name, 'Change owner');
    const change = new Dialog(page, 'Change owner');
    await change.field('Owner email').fill(owner);
    await change.confirm('Change owner');
    await change.expectGone();
    await expect(list.row(estate.name)).toContainText(next);
    await expect(list.row(estate.name)).not.toContainText('Pending Invitation');
  }
  type Users = { users: { id: string; group: { role: string } }[] };
  const { users } = await office.call<Users>('GET', `/api/users?account=${estate.id}`);
  expect(users.find(({ id }) => id === first.id)?.group.role).toBe('Admin');
});

test('Disable account names what ends, Enable account brings it back', SOAK, async ({ enter, estate }) => {
  const page = await enter('superAdmin');
  const list = new ListPage(page, 'Accounts Directory');
  await page.goto(`/accounts?search=${estate.name}`);
  await list.act(estate.name, 'Disable account');
  const dialog = new Dialog(page, 'Disable account');
  for (const loss of [
    'User access is revoked.',
    'Groups are deactivated.',
    'Device access is halted.',
    'Sessions that run are interrupted.',
    'The account can be reactivated at any time.',
  ])
    await expect(dialog.root).toContainText(loss);
  await dialog.confirm('Disable account');
  await expectToast(page, 'account successfully updated', `${estate.name} is Inactive now.`);
  await expect(list.row(estate.name)).toContainText('Inactive');
  await list.act(estate.name, 'Enable account');
  await expectToast(page, 'account successfully updated', `${estate.name} is Active now.`);
  await expect(list.row(estate.name).getByText('Active', { exact: true })).toBeVisible();
});

test('Delete account wants its name typed, and takes all that belongs to it', async ({ enter, estate, office }) => {
  const device = await estate.device('cellar-gateway');
  const page = await enter('superAdmin');
  const list = new ListPage(page, 'Accounts Directory');
  await page.goto(`/accounts?search=${estate.name}`);
  await list.act(estate.name, 'Delete account');
  const dialog = new Dialog(page, 'Delete account');
  await expect(dialog.root).toContainText('all users and their access');
  await expect(dialog.root).toContainText('all devices');
  await expect(dialog.button('Delete account')).toBeDisabled();
  await dialog.field(`Type ${estate.name} to confirm`).fill(estate.name.slice(0, -1));
  await expect(dialog.button('Delete account')).toBeDisabled();
  await dialog.field(`Type ${estate.name} to confirm`).fill(estate.name);
  await dialog.confirm('Delete account');
  await expectToast(page, 'account successfully removed', `${estate.name} is gone, with all that belonged to it.`);
  await expect(page.getByText('No accounts found.')).toBeVisible();
  const found = async () =>
    (await office.call<{ devices: unknown[] }>('GET', `/api/devices?search=${device.serial}`)).devices;
  await expect.poll(found).toEqual([]);
});
