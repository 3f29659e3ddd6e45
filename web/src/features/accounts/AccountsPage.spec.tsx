import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AccountsPage } from './AccountsPage.tsx';

let hub: FakeHub;
const account = (change: object = {}) => ({
  _id: 'a1',
  id: 'a1',
  name: 'Meadow Farms',
  created: '2026-03-04T10:00:00.000Z',
  status: 'Active',
  owner: null as object | null,
  operator: false,
  ...change,
});
let rows = [account()];

const superAdmin = () => person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } as never });
const operatorAdmin = () => person({ operator: true, group: { id: 'g', role: 'Admin' } as never });

beforeEach(() => {
  rows = [account()];
  hub = new FakeHub()
    .on(/^\/api\/accounts$/, () => ({ body: { total: rows.length, accounts: rows } }))
    .on(/^\/api\/accounts\/(new|assign)$/, () => ({ body: { msg: 'done' } }))
    .on(/^\/api\/accounts\/a1(\/status\/\w+)?$/, () => ({ body: { msg: 'done' } }));
});

function open(session: Session = superAdmin()) {
  const element = (
    <SessionContext value={session}>
      <AccountsPage />
    </SessionContext>
  );
  return show([{ path: '/accounts', element }], '/accounts');
}

async function choose(item: string) {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Actions for Meadow Farms' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  return { user, dialog: within(await screen.findByRole('dialog')) };
}

describe('the accounts directory', () => {
  it('makes an account by a name that follows the rules', async () => {
    open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Create account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Create account' }));
    expect(dialog.getByText('The account name is required')).toBeInTheDocument();
    await user.type(dialog.getByLabelText(/Account name/), 'Acme 2<');
    expect(dialog.getByText('Invalid character')).toBeInTheDocument();
    expect(dialog.getByLabelText(/Account name/)).toHaveValue('Acme 2');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(hub.lastBody('/api/accounts/new')).toEqual({ name: 'Acme 2', identity: person().user }));
  });

  it('shows the reason of the hub in the dialog, and what to say when there is none', async () => {
    const taken = 'Conflict: A account with that name already exists.';
    hub.on(/new$/, () => ({ status: 409, body: { statusCode: 409, code: 'already_exists', message: taken } }));
    open();
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Create account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/Account name/), 'Acme{Enter}');
    expect(await dialog.findByText('A account with that name already exists.')).toBeInTheDocument();
    hub.on(/new$/, () => ({ status: 500, body: {} }));
    await user.keyboard('{Enter}');
    expect(await dialog.findByText('An error occurred while creating the account')).toBeInTheDocument();
  });

  it('assigns an owner only by an e-mail', async () => {
    open();
    const { user, dialog } = await choose('Assign owner');
    const confirm = dialog.getByRole('button', { name: 'Assign owner' });
    expect(confirm).toBeDisabled();
    const field = dialog.getByLabelText(/Owner email/);
    await user.type(field, 'mara');
    await user.tab();
    expect(dialog.getByText('Please enter a valid email address.')).toBeInTheDocument();
    expect(confirm).toBeDisabled();
    await user.clear(field);
    expect(dialog.getByText('The owner email is required')).toBeInTheDocument();
    await user.type(field, 'Mara@Meadow.example');
    await user.click(confirm);
    await waitFor(() =>
      expect(hub.lastBody('/api/accounts/assign')).toEqual({
        owner: 'mara@meadow.example',
        account: 'a1',
        sender: person().email,
        is_new: 'new',
      }),
    );
  });

  it('says that an owner has not come yet, and offers to change who it is', async () => {
    rows = [account({ owner: { name: '', email: 'mara@meadow.example', picture: '', signup_status: 'No' } })];
    open();
    expect(await screen.findByText('Pending Invitation')).toBeInTheDocument();
    const { dialog } = await choose('Change owner');
    expect(dialog.getByRole('button', { name: 'Change owner' })).toBeInTheDocument();
  });

  it('deletes an account only after its name is typed', async () => {
    open();
    const { user, dialog } = await choose('Delete account');
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    expect(confirm).toBeDisabled();
    await user.type(dialog.getByRole('textbox'), 'Meadow Farms');
    await user.click(confirm);
    await waitFor(() => expect(hub.sent).toContain('DELETE /api/accounts/a1'));
  });

  it('names what a disabled account loses, and enables one at once', async () => {
    open();
    const { user, dialog } = await choose('Disable account');
    expect(dialog.getAllByRole('listitem')).toHaveLength(4);
    await user.click(dialog.getByRole('button', { name: 'Disable account' }));
    await waitFor(() => expect(hub.sent).toContain('PATCH /api/accounts/a1/status/Inactive'));
  });

  it('offers nothing on the operator account, and nothing to an operator Admin', async () => {
    rows = [account(), account({ id: ACCOUNT, name: 'Warren', operator: true })];
    open();
    expect(await screen.findByText('Warren')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Actions for Warren' })).not.toBeInTheDocument();
  });

  it('only shows, to an operator Admin', async () => {
    open(operatorAdmin());
    expect(await screen.findByText('Meadow Farms')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Create account' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Actions/ })).not.toBeInTheDocument();
  });
});
