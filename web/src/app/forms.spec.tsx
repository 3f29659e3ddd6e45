import { beforeEach, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { GrantForm } from '../features/access/GrantForm.tsx';
import { RulesForm } from '../features/access/requests/RulesForm.tsx';
import { StreamForm } from '../features/audit/streams/StreamForm.tsx';
import { AddGroupRule } from '../features/scim/group-rules/AddGroupRule.tsx';
import { NewScimToken } from '../features/scim/NewScimToken.tsx';
import { NewToken } from '../features/tokens/NewToken.tsx';
import { ServiceAccountForm } from '../features/tokens/service-accounts/ServiceAccountForm.tsx';
import { SessionContext } from '../lib/session.ts';
import { FakeHub } from '../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../testing/people.ts';
import { show } from '../testing/render.tsx';
import { AskForm } from '../ui/AskForAccess.tsx';
import { NewGuestLink } from '../ui/guest-links/NewGuestLink.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' }, permissions: ['devices.read', 'devices.open'] } as never);
const account = `/api/accounts/${ACCOUNT}`;
const GROUPS = [{ id: 'crew', name: 'Field crew', role: 'Member', default: false }];
const RULES = {
  requests: false,
  guest_links: false,
  longest_minutes: 480,
  terminal_pin_days: 7,
  approver_group: null,
  approver_group_name: '',
  second_approver: false,
  recent_sign_in: { minutes: 15, terminals: false, manage: false, grants: false },
} as never;
const GROUP_RULES = {
  version: 'v1',
  rules: [],
  providers: [{ id: 'work', name: 'Work', protocol: 'oidc', source: 'groups' }],
  groups: GROUPS,
  members_provisioned: false,
} as never;

/** What people do with a form: text in a field, an option of a choice, or a box to tick. */
type Step = ['type' | 'choose', field: string, value: string] | ['tick', field: string];

interface Row {
  name: string;
  element: (done: () => void) => ReactElement;
  path: string;
  confirm: string;
  /** Bad input, the field that is in error then, and what it says. */
  bad: { steps: Step[]; field: string; says: string }[];
  good: Step[];
  sent: object;
}

const table: Row[] = [
  {
    name: 'access rules',
    element: (done) => <RulesForm account={ACCOUNT} rules={RULES} onClose={done} />,
    path: `${account}/access/rules`,
    confirm: 'Save rules',
    // Choices alone, none of them bad.
    bad: [],
    good: [
      ['tick', 'People may ask for access to devices'],
      ['choose', 'Longest access', '4 hours'],
      ['choose', 'Approvers', 'Field crew'],
      ['tick', 'To manage devices'],
    ],
    sent: { requests: true, longest_minutes: 240, approver_group: 'crew' },
  },
  {
    name: 'guest link',
    element: (done) => <NewGuestLink device={device()} onCreated={done} onCancel={done} />,
    path: '/api/devices/d1/guest-links',
    confirm: 'Create link',
    bad: [
      { steps: [['type', 'PIN', '12']], field: 'PIN', says: 'Enter 4 to 12 digits, or nothing.' },
      { steps: [['type', 'Guests', '']], field: 'Guests', says: 'Enter a whole number from 1 to 20.' },
      { steps: [['type', 'Guests', '21']], field: 'Guests', says: 'Enter a whole number from 1 to 20.' },
      { steps: [['type', 'Guests', '2.5']], field: 'Guests', says: 'Enter a whole number from 1 to 20.' },
    ],
    good: [
      ['choose', 'Opens', 'Desktop'],
      ['choose', 'Expires in', '4 hours'],
      ['type', 'PIN', '4711'],
      ['type', 'Guests', '3'],
    ],
    sent: { purpose: 'desktop', port: null, minutes: 240, pin: '4711', uses: 3 },
  },
  {
    name: 'token',
    element: (done) => <NewToken onClose={done} onCreated={done} />,
    path: '/api/profile/tokens',
    confirm: 'Create token',
    bad: [
      { steps: [], field: 'Name', says: 'Enter a name.' },
      { steps: [['type', 'Limit to devices', 'site=']], field: 'Limit to devices', says: 'value' },
    ],
    good: [
      ['type', 'Name', 'Nightly'],
      ['choose', 'Expires in', '30 days'],
      ['type', 'Limit to devices', 'site=north'],
      ['tick', 'Open terminals, desktops, logs and web services'],
    ],
    sent: { name: 'Nightly', days: 30, filter: 'site=north', permissions: ['devices.open', 'devices.read'] },
  },
  {
    name: 'service account',
    element: (done) => <ServiceAccountForm account={ACCOUNT} onClose={done} />,
    path: `${account}/service_accounts`,
    confirm: 'Create service account',
    bad: [{ steps: [['type', 'Name', '  ']], field: 'Name', says: 'Enter a name.' }],
    good: [
      ['type', 'Name', 'CI runner'],
      ['type', 'Description', 'Nightly tests'],
      ['choose', 'Role', 'Admin'],
    ],
    sent: { name: 'CI runner', description: 'Nightly tests', role: 'Admin' },
  },
  {
    name: 'access request',
    element: (done) => <AskForm account={ACCOUNT} onClose={done} />,
    path: `${account}/access/requests`,
    confirm: 'Send request',
    bad: [
      { steps: [], field: 'Reason', says: 'Enter a reason.' },
      { steps: [['type', 'Devices', 'cpu>50']], field: 'Devices', says: 'can’t select by cpu' },
    ],
    good: [
      ['type', 'Devices', 'site=north'],
      ['tick', 'Web service'],
      ['choose', 'For', '30 minutes'],
      ['type', 'Reason', 'The pump stops'],
    ],
    sent: { filter: 'site=north', permissions: ['terminal', 'web'], reason: 'The pump stops', minutes: 30 },
  },
  {
    name: 'grant',
    element: (done) => <GrantForm account={ACCOUNT} onClose={done} />,
    path: `${account}/grants`,
    confirm: 'Create grant',
    bad: [
      { steps: [], field: 'Group', says: 'Choose one.' },
      { steps: [['type', 'Devices', 'site=']], field: 'Devices', says: 'Correct the filter.' },
      { steps: [['choose', 'Expires', 'At a time']], field: 'Expires at', says: 'Enter a time in the future.' },
    ],
    good: [
      ['choose', 'Group', 'Field crew'],
      ['tick', 'Web service'],
      ['type', 'Devices', 'site=north'],
      ['type', 'Note', 'Season 2027'],
    ],
    sent: {
      subject: { kind: 'group', id: 'crew' },
      permissions: ['view', 'terminal', 'web'],
      filter: 'site=north',
      note: 'Season 2027',
    },
  },
  {
    name: 'audit stream',
    element: (done) => (
      <StreamForm scope={{ account: ACCOUNT, scope: 'account' }} stream={null} onClose={done} onSecret={done} />
    ),
    path: '/api/audit/streams',
    confirm: 'Create stream',
    bad: [
      { steps: [], field: 'Name', says: 'Enter a name.' },
      { steps: [['type', 'Address', 'http://siem']], field: 'Address', says: 'begins with tls://' },
      { steps: [['type', 'Actions', 'device']], field: 'Actions', says: 'Expected actions such as device.rename' },
    ],
    good: [
      ['type', 'Name', 'SIEM'],
      ['type', 'Address', 'tls://siem.example.org:6514'],
      ['type', 'CA certificates', 'PEM'],
      ['type', 'Actions', 'device.*'],
      ['tick', 'Refused'],
    ],
    sent: { name: 'SIEM', url: 'tls://siem.example.org:6514', ca: 'PEM', actions: ['device.*'], outcomes: ['refused'] },
  },
  {
    name: 'group rule',
    element: (done) => <AddGroupRule account={ACCOUNT} list={GROUP_RULES} onClose={done} />,
    path: `${account}/group_rules`,
    confirm: 'Add rule',
    bad: [
      { steps: [], field: 'Group at the provider', says: 'Enter the name or id of a group' },
      { steps: [['type', 'Group at the provider', 'ops']], field: 'Warren group', says: 'Choose a group.' },
    ],
    good: [
      ['type', 'Group at the provider', 'ops'],
      ['choose', 'Warren group', 'Field crew'],
    ],
    sent: { version: 'v1', rules: [{ provider: 'work', value: 'ops', group: 'crew' }] },
  },
  {
    name: 'SCIM token',
    element: (done) => <NewScimToken account={ACCOUNT} onClose={done} onCreated={done} />,
    path: `${account}/scim_tokens`,
    confirm: 'Create token',
    bad: [{ steps: [], field: 'Name', says: 'Enter a name.' }],
    good: [
      ['type', 'Name', 'Entra ID'],
      ['choose', 'Expires in', '90 days'],
    ],
    sent: { name: 'Entra ID', days: 90 },
  },
];

let hub: FakeHub;
/** The hub takes what it is sent; before, it refuses. */
let takes: boolean;
let done: jest.Mock<() => void>;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  takes = false;
  const REFUSAL = { statusCode: 409, code: 'failed_precondition', message: 'Conflict: something changed meanwhile.' };
  hub = new FakeHub()
    .on(/./, (_url, { method }) => {
      if (method === 'GET') return { body: { groups: GROUPS, labels: [], total: 0, devices: [], streams: [] } };
      return takes
        ? { body: { msg: 'done', result: RESULT, secret: 'wrn_x', url: 'https://x' } }
        : { status: 409, body: REFUSAL };
    })
    .on(/\/access\/rules$/, (_url, { method }) => {
      if (method === 'GET') return { body: RULES };
      return takes ? { body: { msg: 'done' } } : { status: 409, body: REFUSAL };
    });
  done = jest.fn();
  user = userEvent.setup();
});
const RESULT = { id: 'x', name: 'x', subject: { kind: 'everyone' }, filter: '' };

const field = (name: string) =>
  screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`), { selector: 'input, textarea' });

async function take(steps: readonly Step[]): Promise<void> {
  for (const [act, name, value = ''] of steps) {
    if (act === 'tick') await user.click(field(name));
    else if (act === 'choose') {
      await user.click(field(name));
      await user.click(await screen.findByRole('option', { name: value }));
    } else {
      await user.clear(field(name));
      if (value !== '') await user.type(field(name), value);
    }
  }
}

/** What all fields hold. */
const held = () =>
  [...document.querySelectorAll<HTMLInputElement>('form input:not([type=hidden]), form textarea')].map((one) =>
    one.type === 'checkbox' || one.type === 'radio' ? one.checked : one.value,
  );

function open({ element }: Row): void {
  show([{ path: '/', element: <SessionContext value={owner}>{element(done)}</SessionContext> }], '/');
}

const writes = () => hub.sent.filter((one) => !one.startsWith('GET'));

for (const row of table.filter(({ bad }) => bad.length > 0)) {
  it(`names the field of bad input: ${row.name}`, async () => {
    open(row);
    for (const { steps, field: name, says } of row.bad) {
      await take(steps);
      await user.click(screen.getByRole('button', { name: row.confirm }));
      expect(field(name)).toBeInvalid();
      expect(field(name)).toHaveAccessibleDescription(expect.stringContaining(says));
    }
    expect(writes()).toEqual([]);
    expect(done).not.toHaveBeenCalled();
  });
}

for (const row of table) {
  it(`keeps everything after a refusal: ${row.name}`, async () => {
    open(row);
    await screen.findByRole('button', { name: row.confirm });
    await take(row.good);
    const before = held();
    await user.click(screen.getByRole('button', { name: row.confirm }));
    expect(await screen.findByRole('alert')).toHaveTextContent('something changed meanwhile.');
    expect(held()).toEqual(before);
    expect(done).not.toHaveBeenCalled();
    takes = true;
    await user.click(screen.getByRole('button', { name: row.confirm }));
    await waitFor(() => expect(done).toHaveBeenCalled());
    expect(hub.lastBody(row.path)).toMatchObject(row.sent);
  });
}
