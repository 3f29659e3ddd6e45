import { readFile } from 'node:fs/promises';
import { choose, Dialog, expectToast } from '../../../pages/dialog.ts';
import { ListPage } from '../../../pages/list.ts';
import { linkInMail } from '../../../support/mail.ts';
import { SOAK } from '../../../support/soak.ts';
import { expect, test } from '../../../support/test.ts';

const users = 'Users directory';

test('Disable user and Active change the status, also in another open browser', async ({ enter, estate }) => {
  const [user, admin] = [await estate.user('Uma Reed'), await estate.user('Abe Reed', 'Admins')];
  const [page, onlooker] = [await enter('superAdmin'), await enter(admin.email)];
  const [list, other] = [new ListPage(page, users), new ListPage(onlooker, users)];
  for (const one of [list, other]) {
    await one.page.goto(`/users/${estate.id}`);
    await expect(one.row(user.email).getByText('Active', { exact: true })).toBeVisible();
  }
  await expect(other.row(admin.email).getByRole('button', { name: /^(?!Copy)/ })).toHaveCount(0);
  await list.act('Uma Reed', 'Disable');
  const dialog = new Dialog(page, 'Disable user');
  await expect(dialog.root).toContainText('Uma Reed can no longer sign in to Warren.');
  await dialog.confirm('Disable user');
  await expectToast(page, 'user successfully updated', 'Uma Reed is Inactive now.');
  for (const one of [list, other]) await expect(one.row(user.email)).toContainText('Inactive');
  await list.act('Uma Reed', 'Active');
  await expectToast(page, 'user successfully updated', 'Uma Reed is Active now.');
  for (const one of [list, other]) await expect(one.row(user.email).getByText('Active', { exact: true })).toBeVisible();
});

test('Change user group offers all groups but the present one and the owners’', SOAK, async ({ enter, estate }) => {
  const user = await estate.user('Gil Reed');
  const page = await enter('superAdmin');
  const list = new ListPage(page, users);
  await page.goto(`/users/${estate.id}`);
  await list.act('Gil Reed', 'Change Group');
  const dialog = new Dialog(page, 'Change user group');
  await expect(dialog.root).toContainText('Gil Reed is in Members now, and gets the role of the new group.');
  await expect(dialog.button('Change Group')).toBeDisabled();
  await dialog.field('New group').click();
  await expect(page.getByRole('option')).toHaveText(['Admins', 'Developers']);
  await choose(page, 'Admins');
  await dialog.confirm('Change Group');
  await expectToast(page, 'user successfully updated', 'Gil Reed is in Admins now.');
  await expect(list.row(user.email)).toContainText('Admin');
  await page.goto(`/groups/${estate.id}/${(await estate.group('Admins')).id}`);
  await new ListPage(page, 'Admins').button('Actions for Gil Reed').click();
  await expect(page.getByRole('menuitem')).toHaveText(['Disable', 'Reset sign-in', 'Delete']);
});

test('Delete user wants the name typed: gone from the list', SOAK, async ({ enter, estate }) => {
  const user = await estate.user('Dov Reed');
  const page = await enter('superAdmin');
  const list = new ListPage(page, users);
  await page.goto(`/users/${estate.id}`);
  await list.act('Dov Reed', 'Delete');
  const dialog = new Dialog(page, 'Delete user');
  await expect(dialog.root).toContainText(`Dov Reed loses all access to ${estate.name} at once.`);
  await expect(dialog.button('Delete user')).toBeDisabled();
  await dialog.field('Type Dov Reed to confirm').fill('Dov Reed');
  await dialog.confirm('Delete user');
  await expectToast(page, 'user successfully removed', 'Dov Reed has no access any more.');
  await expect(page.getByText('No users found.')).toBeVisible();
  await page.goto(`/users/${estate.id}/${user.id}`);
  await expect(page.getByRole('alert')).toContainText('There is no such user.');
});

test('a pending invitation is resent, and then cancelled', SOAK, async ({ enter, estate, office }) => {
  const { email } = await estate.invite('pia');
  const first = await linkInMail(office.mail, email);
  const page = await enter('superAdmin');
  await page.goto(`/users/${estate.id}`);
  const pending = new ListPage(page, 'Pending invitations');
  await expect(pending.row(email)).toContainText(estate.name);
  await expect(page.getByLabel('1 pending')).toHaveText('1');
  await pending.button(`Resend invitation to ${email}`).click();
  await expectToast(page, 'invitation sent', `${email} gets a new link. The former one no longer works.`);
  const second = await linkInMail(office.mail, email, 2);
  expect(second.searchParams.get('token')).not.toBe(first.searchParams.get('token'));

  const guest = await enter(null);
  await guest.goto(first.pathname + first.search);
  await expect(guest.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
  await guest.goto(second.pathname + second.search);
  await expect(guest.getByRole('heading', { name: `Join ${estate.name}` })).toBeVisible();

  await pending.button(`Cancel invitation of ${email}`).click();
  const dialog = new Dialog(page, 'Cancel invitation');
  await expect(dialog.root).toContainText(`The link sent to ${email} stops working.`);
  await dialog.confirm('Cancel invitation');
  await expectToast(page, 'invitation cancelled', `${email} can no longer join by it.`);
  await expect(pending.table).toHaveCount(0);
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'This invitation can’t be used' })).toBeVisible();
});

test('Export gives what the filter shows, safe to open in a spreadsheet', async ({ enter, estate }) => {
  await estate.user('Eva Reed');
  const formula = await estate.user('=HYPERLINK("x")');
  await estate.user('Zoe Hill');
  const page = await enter('superAdmin');
  await page.goto(`/users/${estate.id}?search=${encodeURIComponent('HYPERLINK')}`);
  await expect(new ListPage(page, users).row(formula.email)).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.csv$/);
  const [head, row, ...more] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(head).toContain('Status');
  expect(row).toContain(formula.email);
  expect(row).toContain(`"'=HYPERLINK(""x"")"`);
  expect(more).toEqual([]);
});
