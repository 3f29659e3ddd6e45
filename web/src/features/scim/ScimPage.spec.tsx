import { beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { ScimPage } from './ScimPage.tsx';

const PATH = `/api/accounts/${ACCOUNT}/scim_tokens`;
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const entra = {
  id: 't1',
  name: 'Entra ID',
  hint: 'wrn_4fTa',
  created_by: 'olga@example.org',
  created_at: day(-1),
  expires_at: day(29.5),
  used_at: day(-0.5),
  used_from: '203.0.113.7',
};
const old = { ...entra, id: 't2', name: 'Old', expires_at: day(-1), used_at: null, used_from: '' };

let hub: FakeHub;
let listed: object[];
let status: number;

beforeEach(() => {
  [listed, status] = [[entra], 200];
  hub = new FakeHub()
    .on(/\/group_rules$/, () => ({
      body: { rules: [], version: '', providers: [], groups: [], members_provisioned: false },
    }))
    .on(/\/scim_tokens\/t1$/, () => {
      listed = [];
      return { body: { msg: 'done' } };
    })
    .on(/\/scim_tokens$/, (_url, { method }) => {
      if (method !== 'POST') return { status, body: { tokens: listed, code: 'permission_denied', message: 'no' } };
      if (status !== 200)
        return { status, body: { code: 'failed_precondition', message: 'Conflict: it runs this hub.' } };
      listed = [entra];
      return { status: 201, body: { msg: 'done', result: entra, secret: 'wrn_secret' } };
    })
    .on(/^\/api\/accounts\/[^/]+$/, () => ({ body: { result: { id: ACCOUNT, name: 'Northwind' } } }));
});

function open() {
  const element = (
    <SessionContext value={person({ group: { id: 'g', role: 'Owner' } } as never)}>
      <ScimPage />
    </SessionContext>
  );
  show([{ path: '/scim/:account_id', element }], `/scim/${ACCOUNT}`);
  return userEvent.setup();
}

async function create(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: 'New SCIM token' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New SCIM token' }));
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(dialog.getByRole('textbox', { name: /^Name/ })).toBeInvalid();
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), ' Entra ID ');
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  return dialog;
}

it('shows the address, and creates a token that is shown once', async () => {
  listed = [];
  const user = open();
  expect(await screen.findByText(`${location.origin}/scim/v2`)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy SCIM address' })).toBeEnabled();
  await create(user);
  expect(await screen.findByText('wrn_secret')).toBeInTheDocument();
  expect(hub.lastBody(PATH)).toEqual({ name: 'Entra ID', days: 365 });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(await screen.findByText('wrn_4fTa…')).toBeInTheDocument();
  expect(screen.queryByText('wrn_secret')).not.toBeInTheDocument();
});

it('says why a token was not created', async () => {
  listed = [];
  const user = open();
  await screen.findByText('No SCIM tokens');
  status = 409;
  const dialog = await create(user);
  expect(await dialog.findByText(/it runs this hub/)).toBeInTheDocument();
});

it('lists tokens, two at most, and revokes one', async () => {
  listed = [entra, old];
  const user = open();
  const row = within(await screen.findByRole('row', { name: /Entra ID/ }));
  expect(row.getByText('in 30 days')).toBeInTheDocument();
  expect(row.getByText('from 203.0.113.7')).toBeInTheDocument();
  expect(within(screen.getByRole('row', { name: /Old/ })).getByText('Expired')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'New SCIM token' })).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Revoke Entra ID' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke SCIM token' }));
  await user.click(dialog.getByRole('button', { name: 'Revoke SCIM token' }));
  expect(await screen.findByText('No SCIM tokens')).toBeInTheDocument();
});

it('shows nothing of an account that is not for the person', async () => {
  status = 403;
  open();
  expect(await screen.findByRole('link')).toHaveAttribute('href', `/users/${ACCOUNT}`);
  expect(screen.queryByText(/scim\/v2/)).not.toBeInTheDocument();
});
