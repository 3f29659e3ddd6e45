import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AccountTokensPage } from './AccountTokensPage.tsx';
import { OwnTokensPage } from './OwnTokensPage.tsx';

const OWN = '/api/profile/tokens';
const owner = person({
  group: { id: 'g', role: 'Owner' },
  permissions: ['devices.read', 'devices.open', 'users.list', 'users.manage', 'tokens.manage', 'future.thing'],
} as never);
const token = {
  id: 't1',
  name: 'Nightly',
  owner: { id: 'u', email: 'ada@example.org', service_account: '' },
  account: ACCOUNT,
  permissions: ['devices.read'],
  filter: '',
  hint: 'wrn_4fTa',
  created_at: new Date(Date.now() - 86_400_000).toISOString(),
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  used_at: null,
  used_from: '',
};

let hub: FakeHub;
let tokens: object[];

beforeEach(() => {
  tokens = [];
  hub = new FakeHub()
    .on(/^\/api\/profile\/tokens/, (_url, { method }) => {
      if (method === 'GET') return { body: { tokens } };
      tokens = method === 'POST' ? [token] : [];
      return { body: { msg: 'done', result: token, secret: 'wrn_secret' } };
    })
    .on(/^\/api\/tokens/, () => ({ body: { tokens: [token], total: 1 } }))
    .on(/^\/api\/accounts/, () => ({ body: { result: { id: ACCOUNT, name: 'Northwind' } } }));
});

function open(element: React.ReactNode, path: string, at = path) {
  return show([{ path, element: <SessionContext value={owner}>{element}</SessionContext> }], at);
}

async function openForm() {
  open(<OwnTokensPage />, '/profile/tokens');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'New token' })) };
}

it('creates a token with permissions of the person, shows it once, and revokes it', async () => {
  const { user, dialog } = await openForm();
  expect(dialog.getByRole('checkbox', { name: 'future.thing' })).toBeInTheDocument();
  expect(dialog.queryByRole('checkbox', { name: 'Enroll and replace devices' })).not.toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(dialog.getByText('Enter a name.')).toBeInTheDocument();
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Nightly');
  await user.click(dialog.getByRole('checkbox', { name: 'Disable, move and delete users' }));
  // Goes with it.
  expect(dialog.getByRole('checkbox', { name: 'Read users' })).toBeChecked();
  expect(dialog.getByRole('checkbox', { name: 'Read users' })).toBeDisabled();
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  const shown = await screen.findByRole('dialog', { name: 'New API token' });
  expect(shown).toHaveTextContent('wrn_secret');
  expect(within(shown).getByRole('button', { name: 'Copy token' })).toBeInTheDocument();
  expect(hub.lastBody(OWN)).toEqual({
    name: 'Nightly',
    days: 90,
    filter: '',
    permissions: ['devices.read', 'users.list', 'users.manage'],
  });
  await user.click(within(shown).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText('wrn_secret')).not.toBeInTheDocument());
  await user.click(await screen.findByRole('button', { name: 'Revoke Nightly' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke token' }));
  expect(await screen.findByText('No API tokens')).toBeInTheDocument();
  expect(hub.sent).toContain(`DELETE ${OWN}/t1`);
});

it('offers a token for some devices only what is about a device', async () => {
  const { user, dialog } = await openForm();
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'North');
  await user.click(dialog.getByRole('button', { name: 'Select all' }));
  await user.type(dialog.getByRole('textbox', { name: /^Limit to devices/ }), 'site=');
  expect(dialog.getByRole('textbox', { name: /^Limit to devices/ })).toBeInvalid();
  await user.type(dialog.getByRole('textbox', { name: /^Limit to devices/ }), 'north');
  expect(dialog.getAllByRole('checkbox')).toHaveLength(2);
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  await screen.findByRole('dialog', { name: 'New API token' });
  expect(hub.lastBody(OWN)).toMatchObject({ filter: 'site=north', permissions: ['devices.open', 'devices.read'] });
});

it('says all of a token beside its name, where other columns have no room', async () => {
  tokens = [{ ...token, filter: 'site=north' }];
  open(<OwnTokensPage />, '/profile/tokens');
  const [name] = within(await screen.findByRole('row', { name: /Nightly/ })).getAllByRole('cell');
  expect(name).toHaveTextContent(/Nightly.*Never used · Expires within a day.*1 permission · for site=north/);
});

it('lists the tokens of an account with their owners, and revokes one', async () => {
  open(<AccountTokensPage />, '/tokens/:account_id', `/tokens/${ACCOUNT}`);
  const row = await screen.findByRole('row', { name: /Nightly/ });
  expect(row).toHaveTextContent('ada@example.org');
  expect(row).toHaveTextContent('within a day');
  expect(hub.lastQuery('/api/tokens')).toMatchObject({ account: ACCOUNT });
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Revoke Nightly' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke token' }));
  await waitFor(() => expect(hub.sent).toContain('DELETE /api/tokens/t1'));
});
