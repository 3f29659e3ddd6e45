import { beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { DomainsPage } from './DomainsPage.tsx';

const PATH = `/api/accounts/${ACCOUNT}/domains`;
const now = new Date().toISOString();
const claimed = {
  id: 'd1',
  domain: 'example.org',
  record: '_warren-challenge.example.org',
  value: 'warren-domain=4fta',
  created_by: 'olga@example.org',
  created_at: now,
  verified_at: null as string | null,
  verified_by: '',
  proof: null as 'dns' | 'operator' | null,
  checked_at: null as string | null,
  finding: null as string | null,
  lost_at: null as string | null,
};
const verified = { ...claimed, verified_at: now, proof: 'dns' as const, checked_at: now, finding: 'found' };

let hub: FakeHub;
let listed: object[];
let status: number;
let checked: { status?: number; body: object };

beforeEach(() => {
  [listed, status, checked] = [[claimed], 200, { body: { msg: 'done', result: claimed } }];
  hub = new FakeHub()
    .on(/\/domains\/d1\/check$/, () => checked)
    .on(/\/domains\/d1\/confirm$/, () => {
      listed = [{ ...verified, proof: 'operator', finding: null, checked_at: null }];
      return { body: { msg: 'done', result: verified } };
    })
    .on(/\/domains\/d1$/, () => {
      listed = [];
      return { body: { msg: 'done' } };
    })
    .on(/\/domains$/, (_url, { method }) => {
      if (method !== 'POST') return { status, body: { domains: listed, code: 'permission_denied', message: 'no' } };
      listed = [claimed];
      return { status: 201, body: { msg: 'done', result: claimed } };
    })
    .on(/^\/api\/accounts\/[^/]+$/, () => ({ body: { result: { id: ACCOUNT, name: 'Northwind' } } }));
});

function open(role = 'Owner') {
  const element = (
    <SessionContext value={person({ group: { id: 'g', role } } as never)}>
      <DomainsPage />
    </SessionContext>
  );
  show([{ path: '/domains/:account_id', element }], `/domains/${ACCOUNT}`);
  return userEvent.setup();
}

it('adds a domain, shows its record, and says what a check found', async () => {
  listed = [];
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Add domain' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add domain' }));
  await user.type(dialog.getByRole('textbox', { name: /^Domain/ }), 'ann@example.org');
  await user.click(dialog.getByRole('button', { name: 'Add domain' }));
  expect(dialog.getByRole('textbox', { name: /^Domain/ })).toBeInvalid();
  await user.clear(dialog.getByRole('textbox', { name: /^Domain/ }));
  await user.type(dialog.getByRole('textbox', { name: /^Domain/ }), ' Example.ORG');
  await user.click(dialog.getByRole('button', { name: 'Add domain' }));
  expect(await screen.findByText('_warren-challenge.example.org')).toBeInTheDocument();
  expect(hub.lastBody(PATH)).toEqual({ domain: 'example.org' });
  expect(screen.getByRole('button', { name: 'Copy record value of example.org' })).toBeEnabled();
  expect(screen.queryByRole('button', { name: 'Confirm example.org' })).not.toBeInTheDocument();
  listed = [{ ...claimed, checked_at: now, finding: 'different' }];
  await user.click(screen.getByRole('button', { name: 'Check now: example.org' }));
  expect(await screen.findByText(/not with this value/)).toBeInTheDocument();
  listed = [verified];
  await user.click(screen.getByRole('button', { name: 'Check now: example.org' }));
  expect(await screen.findByText(/by DNS/)).toBeInTheDocument();
  expect(screen.queryByText('_warren-challenge.example.org')).not.toBeInTheDocument();
});

it('says why a check was refused', async () => {
  checked = { status: 409, body: { code: 'already_exists', message: 'it belongs to another account' } };
  const user = open();
  await user.click(await screen.findByRole('button', { name: 'Check now: example.org' }));
  expect(await screen.findByText(/belongs to another account/)).toBeInTheDocument();
});

it('lets operators confirm a domain', async () => {
  const user = open('SuperAdmin');
  await user.click(await screen.findByRole('button', { name: 'Confirm example.org' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm domain' }));
  await user.click(dialog.getByRole('button', { name: 'Confirm domain' }));
  expect(await screen.findByText(/by the operator/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Confirm example.org' })).not.toBeInTheDocument();
});

it('warns of a missing record, and removes a domain', async () => {
  listed = [{ ...verified, finding: 'absent', lost_at: now }];
  const user = open();
  expect(await screen.findByText('Record missing')).toBeInTheDocument();
  expect(screen.getByText('_warren-challenge.example.org')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Remove example.org' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove domain' }));
  await user.click(dialog.getByRole('button', { name: 'Remove domain' }));
  expect(await screen.findByText('No domains')).toBeInTheDocument();
});

it('shows nothing of an account that is not for the person', async () => {
  status = 403;
  open();
  expect(await screen.findByRole('link')).toHaveAttribute('href', `/users/${ACCOUNT}`);
});
