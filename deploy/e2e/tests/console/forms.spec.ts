import type { Page } from '@playwright/test';
import { choose, Dialog } from '../../pages/dialog.ts';
import { ListPage } from '../../pages/list.ts';
import { setScene, type Scene } from '../../support/screens/scene.ts';
import { dialogs } from '../../support/screens/dialogs.ts';
import { visit } from '../../support/screens/screen.ts';
import { expect, test } from '../../support/test.ts';

/** Specification, sections 5 and 9: what is typed into a field, and what stands under it then. */
interface Row {
  /** As in the table of dialogs. */
  dialog: string;
  title: string;
  field: string;
  confirm: string;
  /** `[what is typed, what is said]`; no text: nothing is wrong. */
  cases: [typed: string, said: string | null][];
  /** Whether the confirmation is out of reach while something is wrong, or says what. */
  says: 'at once' | 'on confirm';
}

const port = 'Please enter a valid HTTP port';
const email = 'Please enter a valid email address.';
const table: Row[] = [
  {
    dialog: 'create-account',
    title: 'Create account',
    field: 'Account name',
    confirm: 'Create account',
    cases: [
      ['', 'The account name is required'],
      ['   ', 'The account name is required'],
    ],
    says: 'on confirm',
  },
  {
    dialog: 'create-group',
    title: 'Create group',
    field: 'Group name',
    confirm: 'Create group',
    cases: [
      ['', 'The group name is required'],
      ['   ', 'The group name is required'],
    ],
    says: 'on confirm',
  },
  {
    dialog: 'change-owner',
    title: 'Change owner',
    field: 'Owner email',
    confirm: 'Change owner',
    cases: [
      ['a@b', email],
      ['no spaces@a.b', email],
      ['@b.c', email],
      ['', 'The owner email is required'],
      ['a@b.c', null],
    ],
    says: 'at once',
  },
  {
    dialog: 'enable-webservice',
    title: 'Enable Webservice',
    field: 'HTTP port',
    confirm: 'Enable',
    cases: [
      ['', port],
      ['   ', port],
      ['0', port],
      ['65536', port],
      ['80a', port],
      ['-1', port],
      ['65535', null],
    ],
    says: 'at once',
  },
  {
    dialog: 'change-hostname',
    title: 'Change Hostname',
    field: 'Hostname',
    confirm: 'Change name',
    cases: [
      ['', 'Please enter a valid hostname'],
      ['   ', 'Please enter a valid hostname'],
      ['x'.repeat(65), 'At most 64 characters.'],
      ['Lobby kiosk', null],
    ],
    says: 'at once',
  },
];

let scene: Scene;
test.beforeAll(async ({ office, warren }) => {
  scene = await setScene(office, warren);
});

async function show(page: Page, name: string, title: string): Promise<Dialog> {
  const screen = dialogs.find((one) => one.name === name);
  if (!screen) throw new Error(`dialogs: there is no ${name}`);
  await visit(page, screen, scene);
  return new Dialog(page, title);
}

/** What stands at a field as its error. */
const said = (dialog: Dialog, text: string) => dialog.root.getByText(text, { exact: true });

for (const { dialog: name, title, field, confirm, cases, says } of table) {
  test(`${title}: what is said of the ${field}`, async ({ enter }) => {
    const page = await enter('superAdmin');
    const dialog = await show(page, name, title);
    for (const [typed, text] of cases) {
      await test.step(typed === '' ? 'nothing' : typed, async () => {
        await dialog.field(field).fill('x');
        await dialog.field(field).fill(typed);
        await dialog.field(field).blur();
        if (says === 'on confirm') await dialog.confirm(confirm);
        await expect(dialog.button(confirm)).toBeEnabled({ enabled: text === null || says === 'on confirm' });
        if (text === null) return expect(dialog.field(field)).not.toHaveAttribute('aria-invalid', 'true');
        await expect(said(dialog, text)).toBeVisible();
        await expect(dialog.field(field)).toHaveAttribute('aria-invalid', 'true');
      });
    }
  });
}

for (const [name, title, field] of [
  ['create-account', 'Create account', 'Account name'],
  ['create-group', 'Create group', 'Group name'],
] as const) {
  test(`${title} takes letters, digits and spaces alone`, async ({ enter }) => {
    const page = await enter('superAdmin');
    const dialog = await show(page, name, title);
    for (const key of ['-', '.', 'é', '<', '_']) {
      await dialog.field(field).fill('Shift');
      await dialog.field(field).fill('Shift 2');
      await expect(said(dialog, 'Invalid character')).toHaveCount(0);
      await page.keyboard.insertText(key);
      await expect(said(dialog, 'Invalid character')).toBeVisible();
      await expect(dialog.field(field)).toHaveValue('Shift 2');
    }
  });
}

test('Enable Webservice starts at the default port', async ({ enter }) => {
  const dialog = await show(await enter('superAdmin'), 'enable-webservice', 'Enable Webservice');
  await expect(dialog.field('HTTP port')).toHaveValue('1880');
});

test('Change Account and Change user group are confirmed with a choice only', async ({ enter }) => {
  const page = await enter('superAdmin');
  const move = await show(page, 'move-device', 'Change Account');
  await expect(move.button('Change account')).toBeDisabled();
  await move.field('New account').fill('no such account');
  await expect(page.getByText('No account found.')).toBeVisible();
  await expect(move.button('Change account')).toBeDisabled();
  const change = await show(page, 'change-group', 'Change user group');
  await expect(change.button('Change Group')).toBeDisabled();
});

test.describe('Add group members', () => {
  test('takes each e-mail that looks like one, once, and ten at most', async ({ enter }) => {
    const page = await enter('superAdmin');
    const dialog = await show(page, 'add-group-members', 'Add group members');
    await expect(dialog.root).toContainText('You can invite up to 10 people at a time.');
    const enterEmail = async (text: string) => {
      await dialog.field('Email addresses').fill(text);
      await page.keyboard.press('Enter');
    };
    await enterEmail('nonsense');
    await expect(said(dialog, email)).toBeVisible();
    await expect(dialog.field('Email addresses')).toHaveValue('nonsense');
    await enterEmail('u0@orchard.example');
    await enterEmail('U0@Orchard.example');
    await expect(said(dialog, 'u0@orchard.example is already in the list.')).toBeVisible();
    for (let index = 1; index < 10; index++) await enterEmail(`u${index}@orchard.example`);
    const tooMany = said(dialog, 'Reduce the number of email addresses to no more than 10.');
    await expect(tooMany).toHaveCount(0);
    await enterEmail('u10@orchard.example');
    await expect(tooMany).toBeVisible();
    await expect(dialog.root.getByRole('button', { name: /^Remove u/ })).toHaveCount(10);
  });

  test('takes ten groups at most, which exist and are not the owners’', async ({ enter, estate }) => {
    for (let index = 0; index < 9; index++) await estate.makeGroup(`Shift ${index}`);
    const page = await enter('superAdmin');
    await page.goto(`/groups/${estate.id}`);
    await new ListPage(page, 'Groups').button('Invite Users').click();
    const dialog = new Dialog(page, 'Add group members');
    await dialog.field('Email addresses').fill('u1@orchard.example');
    await page.keyboard.press('Enter');
    await dialog.field('Groups').fill('Account Owners');
    await expect(page.getByText('No groups found.')).toBeVisible();
    await expect(dialog.button('Send invitations')).toBeDisabled();
    await dialog.field('Groups').fill('');
    for (let index = 0; index < 9; index++) await choose(page, `Shift ${index}`);
    await choose(page, 'Admins');
    await expect(dialog.button('Send invitations')).toBeEnabled();
    // All that is left can't be added any more.
    await dialog.field('Groups').fill('Members');
    const more = page.getByRole('option', { name: 'Members' });
    if ((await more.count()) > 0) await more.click({ force: true });
    await expect(dialog.root.locator('.mantine-MultiSelect-pill')).toHaveCount(10);
  });
});

test('Edit Profile wants a name, and a picture that is one', async ({ enter }) => {
  const page = await enter('member');
  await page.goto('/profile');
  await page.getByLabel('Name').fill('  ');
  await expect(page.getByText('The name is required')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
  const picture = page.getByLabel('Choose picture');
  await picture.setInputFiles({ name: 'me.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
  await expect(page.getByText('The picture must be a PNG, JPEG or WebP file.')).toBeVisible();
  await picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.alloc(1_048_577) });
  await expect(page.getByText('The picture is larger than 1 MiB.')).toBeVisible();
  await page.getByLabel('Name').fill('Mina');
  await picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('alert')).toContainText('picture');
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Mina Sato');
});

test('Sign up wants a name and the agreement', async ({ enter }) => {
  const page = await enter(null);
  await page.goto(`/signup-user?${new URLSearchParams({ ...scene.link })}`);
  await page.getByRole('button', { name: 'Continue to sign-in' }).click();
  await expect(page.getByText('The name is required')).toBeVisible();
  await expect(page.getByText('Your agreement is required')).toBeVisible();
  await expect(page).toHaveURL(/signup-user/);
});
