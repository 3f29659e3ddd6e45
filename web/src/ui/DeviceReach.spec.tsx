import { beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../lib/session.ts';
import { FakeHub } from '../testing/fake-hub.ts';
import { device, person } from '../testing/people.ts';
import { show } from '../testing/render.tsx';
import { DeviceReach } from './DeviceReach.tsx';
import { GuestLinks } from './guest-links/GuestLinks.tsx';

const by = (permission: string, grant: string | null = null) => ({
  permission,
  by: grant ? 'grant' : 'role',
  grant,
  until: null,
});
const grant = (id: string, source: string) => ({
  id,
  subject: { kind: 'group', id: 'crew', name: 'Crew' },
  permissions: ['view'],
  filter: 'site=north',
  expires: null,
  note: '',
  source,
  created: '2026-03-04T10:00:00.000Z',
  created_by: 'olga@example.org',
});
const link = (id: string, state: string, guests: string[], ended: string | null = null) => ({
  id,
  purpose: 'terminal',
  port: null,
  maker: { id: 'm', name: 'Max', email: 'max@example.org' },
  state,
  pin: false,
  wrong_pins: 0,
  uses: guests.length,
  most_uses: 2,
  created_at: '2026-03-04T10:00:00.000Z',
  expires_at: '2026-03-04T11:00:00.000Z',
  ended_at: ended,
  ended_reason: '',
  guests: guests.map((name) => ({ id: name, name, joined_at: '2026-03-04T10:05:00.000Z', address: '::1', live: true })),
});

let hub: FakeHub;
let links: object[];

beforeEach(() => {
  links = [];
  const member = { id: 'a', name: 'Ann', email: 'ann@example.org', role: 'Member', group: 'Crew' };
  const rights = [by('view', 'g1'), by('terminal', 'g2')];
  hub = new FakeHub()
    .on(/\/devices\/d1\/access$/, () => ({
      body: {
        total: 1,
        people: [{ ...member, rights }],
        service_accounts: [{ id: 's', name: 'CI', role: 'Admin', rights: [by('view')] }],
        operators: [
          { role: 'SuperAdmin', users: 1, service_accounts: 0, rights: [by('view'), by('manage')] },
          { role: 'Admin', users: 1_200, service_accounts: 1, rights: [by('view')] },
        ],
        grants: [grant('g1', 'administrator'), grant('g2', 'request')],
      },
    }))
    .on(/\/guest-links$/, () => ({ body: { links } }));
});

async function open(account?: string) {
  const one = device();
  const session = person({ guest_links: true, ...(account ? { account, operator: true } : {}) });
  const element = (
    <SessionContext value={session}>
      {account ? null : <GuestLinks device={one} />}
      <DeviceReach device={one} />
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
  await userEvent.click(await screen.findByRole('button', { name: 'Show who can reach this device' }));
  return screen.findByRole('table', { name: 'Who can reach this device' });
}

it('names people, service accounts and operators, with what they may do and why', async () => {
  const table = within(await open());
  // Below the name is what the other columns say, for phones.
  const rows = table
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell, at) => (at === 0 ? cell.firstChild : cell)?.textContent));
  expect(rows.slice(1)).toEqual([
    [
      'Ann',
      'view, terminal',
      'Allowed by grant: Crew, site=northAllowed by an approved access request: Crew, site=north',
    ],
    ['CI (service account)', 'view', 'Allowed by role Admin'],
    ['Operators with the role SuperAdmin: 1 person', 'view, manage', 'Allowed by role SuperAdmin of the operator'],
    ['Operators with the role Admin: 1,200 people, 1 service account', 'view', 'Allowed by role Admin of the operator'],
  ]);
});

it('names the guests of valid links, and links to the list', async () => {
  links = [
    link('l1', 'open', []),
    link('l2', 'used_up', ['Grace', 'Gus']),
    link('l3', 'expired', ['Eve']),
    link('l4', 'ended', ['Ed'], '2026-03-04T10:30:00.000Z'),
  ];
  await open();
  expect(await screen.findByText(/^2 guest links are valid\. Guests: Grace, Gus\./)).toBeInTheDocument();
  const list = screen.getByRole('region', { name: 'Guest links' });
  list.scrollIntoView = () => undefined;
  await userEvent.click(screen.getByRole('button', { name: 'See Guest links' }));
  expect(list).toHaveFocus();
  expect(hub.sent.filter((call) => call.endsWith('/guest-links'))).toHaveLength(1);
});

it('says nothing of guests where no link is valid', async () => {
  links = [link('l3', 'expired', ['Eve'])];
  await open();
  // The list of links is there from the same answer.
  expect(await screen.findByText('1 past link')).toBeInTheDocument();
  expect(screen.queryByText(/guest links? (is|are) valid/)).not.toBeInTheDocument();
});

it('counts guest links for operators, who have no list of them', async () => {
  links = [link('l1', 'open', [])];
  await open('01997b5c-2f4e-7d3a-9c51-000000000009');
  expect(await screen.findByText('1 guest link is valid.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'See Guest links' })).not.toBeInTheDocument();
});
