import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { ServiceAccountsPage } from './ServiceAccountsPage.tsx';

const PATH = `/api/accounts/${ACCOUNT}/service_accounts`;
const owner = person({
  group: { id: 'g', role: 'Owner' },
  permissions: ['devices.read', 'devices.open', 'users.list'],
} as never);
const runner = {
  id: 's1',
  name: 'CI runner',
  handle: 'ci-runner-0a2b3c4d5e6f@service-account.invalid',
  description: 'Nightly tests',
  role: 'Member',
  status: 'Active',
  permissions: ['devices.read', 'devices.open'],
  created_at: '2026-03-04T10:00:00.000Z',
  created_by: 'olga@example.org',
};

let hub: FakeHub;
let listed: object[];

beforeEach(() => {
  listed = [runner];
  hub = new FakeHub()
    .on(/\/service_accounts\/s1\/tokens$/, () => ({
      status: 201,
      body: { msg: 'done', result: {}, secret: 'wrn_secret' },
    }))
    .on(/\/service_accounts\/s1$/, (_url, { method }) => {
      if (method === 'DELETE') listed = [];
      return { body: { msg: 'done', result: runner } };
    })
    .on(/\/service_accounts$/, (_url, { method }) => {
      if (method === 'POST') listed = [runner];
      return { body: method === 'POST' ? { msg: 'done', result: runner } : { service_accounts: listed } };
    })
    .on(/^\/api\/accounts\/[^/]+$/, () => ({ body: { result: { id: ACCOUNT, name: 'Northwind' } } }));
});

function open(session: Session = owner) {
  const element = (
    <SessionContext value={session}>
      <ServiceAccountsPage />
    </SessionContext>
  );
  show([{ path: '/service-accounts/:account_id', element }], `/service-accounts/${ACCOUNT}`);
  return userEvent.setup();
}

const choose = async (user: ReturnType<typeof userEvent.setup>, item: string) => {
  await user.click(await screen.findByRole('button', { name: 'Actions for CI runner' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
};

it('creates one', async () => {
  listed = [];
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'New service account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New service account' }));
  await user.click(dialog.getByRole('button', { name: 'Create service account' }));
  expect(dialog.getByRole('textbox', { name: /^Name/ })).toBeInvalid();
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), ' CI runner ');
  await user.click(dialog.getByRole('button', { name: 'Create service account' }));
  expect(await screen.findByText('Nightly tests')).toBeInTheDocument();
  expect(hub.lastBody(PATH)).toEqual({ name: 'CI runner', description: '', role: 'Member' });
});

it('makes a token with permissions that both have, and shows it once', async () => {
  const user = open();
  await choose(user, 'New token');
  const dialog = within(await screen.findByRole('dialog', { name: 'New token' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Nightly');
  expect(dialog.getAllByRole('checkbox')).toHaveLength(2);
  await user.click(dialog.getByRole('button', { name: 'Create token' }));
  expect(await screen.findByRole('dialog', { name: 'New API token' })).toHaveTextContent('wrn_secret');
  const wanted = { name: 'Nightly', days: 90, filter: '', permissions: ['devices.read'] };
  expect(hub.lastBody(`${PATH}/s1/tokens`)).toEqual(wanted);
});

it('disables and deletes one', async () => {
  const user = open();
  await choose(user, 'Edit');
  const form = within(await screen.findByRole('dialog', { name: 'Edit service account' }));
  await user.click(form.getByRole('switch', { name: /^Active/ }));
  await user.click(form.getByRole('button', { name: 'Save service account' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(hub.lastBody(`${PATH}/s1`)).toEqual({ description: 'Nightly tests', role: 'Member', status: 'Inactive' });
  await choose(user, 'Delete');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete service account' }));
  await user.click(dialog.getByRole('button', { name: 'Delete service account' }));
  expect(await screen.findByText('No service accounts')).toBeInTheDocument();
});

it('shows them to those who may not change them', async () => {
  open(person({ operator: true, account: 'other', group: { id: 'g', role: 'Admin' } } as never));
  expect(await screen.findByText('CI runner')).toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
