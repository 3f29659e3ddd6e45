import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext, type Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AccessPage } from './AccessPage.tsx';
import { draftOf, expiryOf, filterProblem } from './grant-form.ts';

const owner = person({ group: { id: 'g', role: 'Owner' } } as never);
const grants = `/api/accounts/${ACCOUNT}/grants`;
const grant = {
  id: 'g1',
  subject: { kind: 'group', id: 'crew', name: 'Field crew' },
  permissions: ['view', 'terminal'],
  filter: 'site=north',
  expires: null,
  note: 'Season 2027',
  source: 'administrator',
  created: '2026-03-04T10:00:00.000Z',
  created_by: 'olga@example.org',
};

const rules = {
  requests: true,
  longest_minutes: 480,
  terminal_pin_days: 7,
  observe_terminals: false,
  approver_group: null,
  approver_group_name: '',
  second_approver: false,
  recent_sign_in: { minutes: 15, terminals: false, manage: false, grants: false },
};

let hub: FakeHub;
let mode: 'default' | 'explicit';
let listed: object[];

beforeEach(() => {
  mode = 'default';
  listed = [grant];
  hub = new FakeHub()
    .on(/\/access$/, (_url, request) => {
      if (request.method === 'PUT') mode = mode === 'default' ? 'explicit' : 'default';
      return { body: request.method === 'PUT' ? { msg: 'done' } : { mode, switchable: true } };
    })
    .on(/\/access\/rules$/, () => ({ body: rules }))
    .on(/\/grants$/, (_url, request) =>
      request.method === 'POST' ? { status: 201, body: { msg: 'done', result: grant } } : { body: { grants: listed } },
    )
    .on(/\/grants\/g1$/, () => ({ body: { msg: 'done', result: grant } }))
    .on(/^\/api\/groups\/names$|get_groups|group_names|\/api\/groups/, () => ({
      body: { groups: [{ id: 'crew', name: 'Field crew', role: 'Member', default: false }] },
    }))
    .on(/^\/api\/devices$/, () => ({ body: { total: 7, devices: [] } }))
    .on(/^\/api\/labels$/, () => ({ body: { labels: [] } }));
});

function open(session: Session = owner) {
  const element = (
    <SessionContext value={session}>
      <AccessPage />
    </SessionContext>
  );
  return show([{ path: '/access/:account_id', element }], `/access/${ACCOUNT}`);
}

it('says in words where each grant comes from', async () => {
  listed = [
    grant,
    {
      ...grant,
      id: 'g2',
      source: 'request',
      note: 'Access request: pump',
      subject: { kind: 'user', id: 'm', name: 'Max' },
    },
  ];
  open();
  const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));
  const given = await row('Field crew');
  expect(given.getAllByText('Administrator').length).toBeGreaterThan(0);
  expect(given.getByText('olga@example.org')).toBeInTheDocument();
  const asked = await row('Max');
  const link = asked.getByRole('link', { name: 'Access request' });
  expect(link).toHaveAttribute('href', `/requests/${ACCOUNT}`);
  expect(asked.getByText('Approved by olga@example.org')).toBeInTheDocument();
  expect(asked.queryByText('Administrator')).not.toBeInTheDocument();
});

it('creates a grant, with a count of what its filter finds', async () => {
  listed = [];
  open();
  const user = userEvent.setup();
  await user.click((await screen.findAllByRole('button', { name: 'New grant' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'New grant' }));
  await user.click(dialog.getByRole('button', { name: 'Create grant' }));
  expect(dialog.getByText('Choose one.')).toBeInTheDocument();
  await user.click(dialog.getByRole('combobox', { name: 'Who' }));
  await user.click(await screen.findByRole('option', { name: 'Everyone in the account' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Web service' }));
  await user.type(dialog.getByRole('combobox', { name: /^Devices/ }), 'site=north');
  expect(await dialog.findByText('The filter finds 7 devices now.')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Create grant' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(hub.lastBody(grants)).toEqual({
    subject: { kind: 'everyone' },
    permissions: ['view', 'terminal', 'web'],
    filter: 'site=north',
    expires: null,
    note: '',
  });
});

it('withdraws a grant', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Actions for the grant of Field crew' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Withdraw grant' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw grant' }));
  await user.click(dialog.getByRole('button', { name: 'Withdraw grant' }));
  await waitFor(() => expect(hub.sent).toContain(`DELETE ${grants}/g1`));
});

it('changes the rules of requests and recent sign-ins', async () => {
  open();
  const user = userEvent.setup();
  expect(await screen.findByText('Access requests are on; Owner and Admins decide')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Edit rules' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Access rules' }));
  await user.click(dialog.getByRole('combobox', { name: 'Approvers' }));
  await user.click(await screen.findByRole('option', { name: 'Field crew' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Two people have to approve' }));
  await user.click(dialog.getByRole('checkbox', { name: 'To open terminals and desktops' }));
  await user.click(dialog.getByRole('button', { name: 'Save rules' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const { approver_group_name: _name, ...before } = rules;
  expect(hub.lastBody(`/api/accounts/${ACCOUNT}/access/rules`)).toEqual({
    ...before,
    approver_group: 'crew',
    second_approver: true,
    recent_sign_in: { ...rules.recent_sign_in, terminals: true },
  });
});

it('shows grants to those who may not change them', async () => {
  open(person({ operator: true, account: 'other', group: { id: 'g', role: 'Admin' } } as never));
  expect(await screen.findByText('Field crew')).toBeInTheDocument();
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

it.each([
  ['site=north', undefined],
  ['site=', 'Correct the filter.'],
  ['cpu>50', expect.stringContaining('can’t select by cpu')],
])('says what is wrong with the filter %s', (filter, problem) => {
  expect(filterProblem(filter)).toEqual(problem);
});

it('ends when it was chosen to', () => {
  expect(expiryOf(draftOf(), 0)).toBeNull();
  expect(expiryOf({ ...draftOf(), expiry: '1h' }, 0)).toBe('1970-01-01T01:00:00.000Z');
  expect(expiryOf({ ...draftOf(), expiry: 'at', at: '' }, 0)).toBeUndefined();
  expect(expiryOf({ ...draftOf(), expiry: 'at', at: '1960-01-01T00:00' }, 0)).toBeUndefined();
});
