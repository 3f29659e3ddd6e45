import type { Page } from '@playwright/test';
import { choose, Dialog, expectToast } from '../../../pages/dialog.ts';
import { ListPage } from '../../../pages/list.ts';
import { mailsTo } from '../../../support/mail.ts';
import type { Estate } from '../../../support/office.ts';
import { SOAK } from '../../../support/soak.ts';
import { expect, test } from '../../../support/test.ts';

const roles = [
  { role: 'Admin', note: 'can invite more people', can: 'Administers the account, its users and groups.' },
  { role: 'Member', note: 'can access all devices', can: 'Can access devices, but not create, change or delete.' },
] as const;

for (const { role, note, can } of roles) {
  test(`Create group whose users are ${role}s: its users have that role`, async ({ enter, estate }) => {
    const owner = await estate.owner('Odile Hart');
    const [page, onlooker] = [await enter(owner.email), await enter('superAdmin')];
    await onlooker.goto(`/groups/${estate.id}`);
    await expect(new ListPage(onlooker, 'Groups').row('Account Owners')).toBeVisible();
    await page.goto(`/groups/${estate.id}`);
    const list = new ListPage(page, 'Groups');
    await list.button('Create group').click();
    const dialog = new Dialog(page, 'Create group');
    await dialog.field('Group name').fill('Night shift');
    await expect(dialog.root.getByText(note)).toBeVisible();
    await dialog.root.getByRole('radio', { name: role }).check();
    await dialog.confirm('Create group');
    await expectToast(page, 'group successfully created', 'Night shift is ready. Invite people into it.');
    await dialog.expectGone();
    await expect(list.row('Night shift')).toContainText('Custom');
    await expect(new ListPage(onlooker, 'Groups').row('Night shift')).toBeVisible();
    await list.row('Night shift').getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1, name: 'Night shift' })).toBeVisible();
    await expect(page.getByText(can)).toBeVisible();
    expect((await estate.group('Night shift')).role).toBe(role);
  });
}

test('Delete group moves its users to the default group of their role', async ({ enter, estate }) => {
  await estate.makeGroup('Day shift');
  const user = await estate.user('Dora Field', 'Day shift');
  const page = await enter('superAdmin');
  await page.goto(`/groups/${estate.id}`);
  const list = new ListPage(page, 'Groups');
  await expect(list.row('Members').getByRole('button')).toHaveCount(0);
  await list.act('Day shift', 'Delete group');
  const dialog = new Dialog(page, 'Delete group');
  await expect(dialog.root).toContainText('Its user moves to the group Members.');
  await expect(dialog.button('Delete group')).toBeDisabled();
  await dialog.field('Type Day shift to confirm').fill('Day shift');
  await dialog.confirm('Delete group');
  await expectToast(
    page,
    'group successfully removed',
    'Day shift is gone. Its users are in the default group of their role.',
  );
  await expect(list.row('Day shift')).toHaveCount(0);
  await list.row('Members').getByRole('link').click();
  await expect(new ListPage(page, 'Members').row(user.email)).toBeVisible();
});

/** Types addresses as chips, each ended by another of the keys that do. */
async function typeEmails(page: Page, dialog: Dialog, emails: string[]): Promise<void> {
  const keys = ['Space', 'Enter', 'Tab'];
  for (const [index, email] of emails.entries()) {
    await dialog.field('Email addresses').pressSequentially(email, { delay: 0 });
    await page.keyboard.press(keys[index % keys.length] ?? 'Enter');
    await expect(dialog.root.getByRole('button', { name: `Remove ${email}` })).toBeVisible();
  }
}

async function expectPending(page: Page, estate: Estate, emails: string[], group: string): Promise<void> {
  await page.goto(`/users/${estate.id}`);
  const pending = new ListPage(page, 'Pending invitations');
  for (const email of emails) await expect(pending.row(email)).toContainText(`into ${group}`);
}

test('Add group members: e-mail chips and group chips, and a mail to each', async ({ enter, estate, office }) => {
  await estate.makeGroup('Field crew');
  const page = await enter('superAdmin');
  await page.goto(`/groups/${estate.id}`);
  await new ListPage(page, 'Groups').button('Invite Users').click();
  const dialog = new Dialog(page, 'Add group members');
  await expect(dialog.root).toContainText('You can invite up to 10 people at a time.');
  const emails = ['ines', 'ivo', 'isa'].map((who) => estate.address(who));
  await expect(dialog.button('Send invitations')).toBeDisabled();
  await typeEmails(page, dialog, emails);
  await expect(dialog.button('Send invitations')).toBeDisabled();
  await dialog.field('Groups').click();
  await expect(page.getByRole('option')).toHaveText(['Admins', 'Developers', 'Field crew', 'Members']);
  await choose(page, 'Field crew');
  await page.keyboard.press('Escape');
  await dialog.confirm('Send invitations');
  await expectToast(page, 'invitation successfully created', '3 e-mails are on their way.');
  await expectPending(page, estate, emails, 'Field crew');
  for (const email of emails) await expect.poll(() => mailsTo(office.mail, email)).toHaveLength(1);
});

test('Add group members inside a group asks for no group', SOAK, async ({ enter, estate }) => {
  const group = await estate.makeGroup('Field crew');
  const page = await enter('superAdmin');
  await page.goto(`/groups/${estate.id}/${group.id}`);
  await new ListPage(page, 'Field crew').button('Invite Users').click();
  const dialog = new Dialog(page, 'Add group members');
  await expect(dialog.field('Groups')).toHaveCount(0);
  const email = estate.address('ina');
  await typeEmails(page, dialog, [email]);
  await dialog.confirm('Send invitations');
  await expectToast(page, 'invitation successfully created', 'The e-mail is on its way.');
  await expect(new ListPage(page, 'Pending invitations').row(email)).toContainText('into Field crew');
});

test('the group of the owners offers no invitation', SOAK, async ({ enter, estate }) => {
  const page = await enter('superAdmin');
  await page.goto(`/group/${(await estate.group('Account Owners')).id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Account Owners' })).toBeVisible();
  await expect(page.getByText('No users found.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Invite Users' })).toHaveCount(0);
});
