import type { Page } from '@playwright/test';
import { Dialog, expectFailure } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { dialogs } from '../../support/screens/dialogs.ts';
import { setScene, type Scene } from '../../support/screens/scene.ts';
import { visit } from '../../support/screens/screen.ts';
import { SOAK, soakBut } from '../../support/soak.ts';
import { expect, test } from '../../support/test.ts';

// Specification, section 8: errors that people see.

let scene: Scene;
test.beforeAll(async ({ office, warren }) => {
  scene = await setScene(office, warren);
});

/** Fills in a form, as far as it has something to fill in, and confirms it. */
interface Form {
  dialog: string;
  title: string;
  confirm: string;
  fill?: [field: string, value: string];
  /** The call that it makes. */
  call: string;
  fallback: string;
}

const forms: Form[] = [
  {
    dialog: 'create-account',
    title: 'Create account',
    confirm: 'Create account',
    fill: ['Account name', 'Brook'],
    call: '/api/accounts/new',
    fallback: 'An error occurred while creating the account',
  },
  {
    dialog: 'create-group',
    title: 'Create group',
    confirm: 'Create group',
    fill: ['Group name', 'Brook'],
    call: '/api/groups/new',
    fallback: 'An error occurred while creating the group',
  },
  {
    dialog: 'change-owner',
    title: 'Change owner',
    confirm: 'Change owner',
    fill: ['Owner email', 'a@b.example'],
    call: '/api/accounts/assign',
    fallback: 'An error occurred while assigning the owner',
  },
  {
    dialog: 'change-hostname',
    title: 'Change Hostname',
    confirm: 'Change name',
    fill: ['Hostname', 'Brook'],
    call: '/api/devices/change_hostname',
    fallback: 'An error occurred while changing the name',
  },
  {
    dialog: 'enable-webservice',
    title: 'Enable Webservice',
    confirm: 'Enable',
    call: '/tunnel/enable_http',
    fallback: 'An error occurred while enabling the web service',
  },
];

/** Toasts of what only asks once more. */
const confirmations = [
  {
    dialog: 'delete-account',
    title: 'Delete account',
    confirm: 'Delete account',
    call: '/api/accounts/*',
    typed: true,
  },
  { dialog: 'disable-account', title: 'Disable account', confirm: 'Disable account', call: '/api/accounts/*/status/*' },
  { dialog: 'delete-group', title: 'Delete group', confirm: 'Delete group', call: '/api/groups/*', typed: true },
  { dialog: 'delete-user', title: 'Delete user', confirm: 'Delete user', call: '/api/users/*', typed: true },
  { dialog: 'disable-user', title: 'Disable user', confirm: 'Disable user', call: '/api/users/*' },
  {
    dialog: 'cancel-invitation',
    title: 'Cancel invitation',
    confirm: 'Cancel invitation',
    call: '/api/cancel_invitation/**',
  },
  { dialog: 'delete-device', title: 'Delete device', confirm: 'Delete device', call: '/tunnel/devices/*', typed: true },
];

async function show(page: Page, name: string, title: string): Promise<Dialog> {
  const screen = dialogs.find((one) => one.name === name);
  if (!screen) throw new Error(`dialogs: there is no ${name}`);
  await visit(page, screen, scene);
  return new Dialog(page, title);
}

/** Cuts a call's network, or lets it be answered by something that is not the hub. */
async function breakCall(page: Page, call: string, how: 'cut' | 'foreign'): Promise<void> {
  await page.route(`**${call}`, (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    if (how === 'cut') return route.abort('connectionfailed');
    return route.fulfill({ status: 500, contentType: 'application/json', body: '{}' });
  });
}

for (const { dialog: name, title, confirm, fill, call, fallback } of forms) {
  test(
    `${title} says that no answer came, or that it failed, and keeps what was typed`,
    soakBut('Create account')(title),
    async ({ enter }) => {
      const page = await enter('superAdmin');
      const dialog = await show(page, name, title);
      if (fill) await dialog.field(fill[0]).fill(fill[1]);
      await breakCall(page, call, 'cut');
      await dialog.confirm(confirm);
      await expect(dialog.problem).toHaveText('No response received from server.');
      await breakCall(page, call, 'foreign');
      await dialog.confirm(confirm);
      await expect(dialog.problem).toHaveText(fallback);
      if (fill) await expect(dialog.field(fill[0])).toHaveValue(fill[1]);
    },
  );
}

test('a confirmation that fails tells it as a toast, and stays', async ({ enter }) => {
  const page = await enter('superAdmin');
  for (const { dialog: name, title, confirm, call, typed } of confirmations) {
    await test.step(title, async () => {
      const dialog = await show(page, name, title);
      if (typed) {
        const label = await dialog.root.getByText(/^Type .* to confirm$/).innerText();
        await dialog.field(/to confirm$/).fill(label.slice('Type '.length, -' to confirm'.length));
      }
      await breakCall(page, call, 'cut');
      await dialog.confirm(confirm);
      await expectFailure(page, 'No response received from server.');
      await breakCall(page, call, 'foreign');
      await dialog.confirm(confirm);
      await expectFailure(page, 'Error: 500');
      await expect(dialog.root).toBeVisible();
      await page.unrouteAll();
      await page.goto('about:blank');
    });
  }
});

test('names that are taken are refused in the words of the catalogue', SOAK, async ({ enter }) => {
  const page = await enter('superAdmin');
  const account = await show(page, 'create-account', 'Create account');
  await account.field('Account name').fill(scene.estate.name.toLowerCase());
  await account.confirm('Create account');
  await expect(account.problem).toHaveText('A account with that name already exists.');
  const group = await show(page, 'create-group', 'Create group');
  await group.field('Group name').fill('Field crew');
  await group.confirm('Create group');
  await expect(group.problem).toHaveText('A group with that name already exists.');
});

test('the hub’s own words are in the dialog, without what comes before the colon', async ({ enter, estate }) => {
  const page = await enter('superAdmin');
  await page.goto(`/groups/${estate.id}`);
  await new ListPage(page, 'Groups').button('Invite Users').click();
  const dialog = new Dialog(page, 'Add group members');
  // A user of another account.
  await dialog.field('Email addresses').fill(scene.user.email);
  await page.keyboard.press('Enter');
  await dialog.field('Groups').click();
  await page.getByRole('option', { name: 'Members' }).click();
  await page.keyboard.press('Escape');
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/send_invitation')),
    dialog.confirm('Send invitations'),
  ]);
  expect(answer.status()).toBe(409);
  const { message } = (await answer.json()) as { message: string };
  await expect(dialog.problem).toHaveText(message.slice(message.indexOf(': ') + 2));
});

test(
  'confirming a dialog about an item that was removed meanwhile says so',
  SOAK,
  async ({ enter, estate, office }) => {
    const user = await estate.user('Una Late');
    const page = await enter('superAdmin');
    await page.goto(`/users/${estate.id}`);
    await new ListPage(page, 'Users directory').act('Una Late', 'Delete');
    await office.call('DELETE', `/api/users/${user.id}`);
    const dialog = new Dialog(page, 'Delete user');
    await dialog.field('Type Una Late to confirm').fill('Una Late');
    await dialog.confirm('Delete user');
    await expectFailure(page, user.id);
  },
);
