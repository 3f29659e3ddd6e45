import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Recording } from '../../../lib/api/types.ts';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { recording } from '../../../testing/recorded.ts';
import { show } from '../../../testing/render.tsx';
import { RecordingsPage } from './RecordingsPage.tsx';

const permissions = ['recordings.view', 'recordings.export', 'recordings.manage'] as never;
const owner = person({ group: { id: 'g', role: 'Owner' } as never, permissions });
const admin = person({ group: { id: 'g', role: 'Admin' } as never, permissions: ['recordings.view'] as never });
const superAdmin = person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } as never, permissions });
const live = recording({ id: '019c0000-0000-7000-8000-0000000000a2', ended: null, exit: null, signed: false });
const marked = recording({
  id: '019c0000-0000-7000-8000-0000000000a3',
  device: { id: 'd2', name: 'Barn' },
  exit: null,
  reason: 'the device was switched off.',
  gaps: 2,
  gapBytes: 2_048,
  hold: { since: '2026-03-05T00:00:00.000Z', by: 'mara@example.org', reason: 'Case 7' },
});

let hub: FakeHub;
let recordings: Recording[];
let next: string | null;
let policy: string;

beforeEach(() => {
  recordings = [live, marked];
  next = null;
  policy = 'off';
  hub = new FakeHub()
    .on(/^\/api\/recordings$/, () => ({ body: { recordings, next } }))
    .on(/^\/api\/recordings\/settings$/, () => ({ body: { policy } }));
});

const open = (address = '/sessions', session: Session = owner) =>
  show(
    [
      {
        path: '/sessions',
        element: (
          <SessionContext value={session}>
            <RecordingsPage />
          </SessionContext>
        ),
      },
      { path: '/sessions/:id', element: <p>the player</p> },
    ],
    address,
  );

const asked = () => hub.lastQuery('/api/recordings');

it('lists sessions with how they ended, and what is unusual', async () => {
  open();
  const first = await screen.findByRole('row', { name: /Greenhouse.*ada@example.org.*1 h.*1.5 MiB.*Live/ });
  expect(within(first).getByRole('link', { name: 'Greenhouse' })).toHaveAttribute('href', `/sessions/${live.id}`);
  const second = screen.getByRole('row', { name: /Barn.*Interrupted/ });
  expect(within(second).getByRole('img', { name: '2 gaps: 2.0 KiB of output are missing' })).toBeInTheDocument();
  expect(within(second).getByRole('img', { name: 'On legal hold by mara@example.org: Case 7' })).toBeInTheDocument();
  expect(asked()).toEqual({ account: ACCOUNT, limit: '50' });
  expect(screen.getByRole('link', { name: 'Recording settings' })).toHaveAttribute('href', `/recording/${ACCOUNT}`);
});

it('names guests by the end of their id', async () => {
  const guest = '019c0000-0000-7000-8000-00000051f2c9';
  recordings = [{ ...live, person: { id: guest, email: `guest-${guest}@guest.invalid` } }];
  open();
  const row = await screen.findByRole('row', { name: /Greenhouse.*Guest 51f2c9/ });
  expect(row).not.toHaveTextContent('guest.invalid');
});

it('keeps the filters in the address', async () => {
  const router = open('/sessions?person=ada%40example.org');
  const user = userEvent.setup();
  await screen.findByRole('row', { name: /Greenhouse/ });
  await user.click(screen.getByRole('combobox', { name: 'State' }));
  await user.click(await screen.findByRole('option', { name: 'On legal hold' }));
  await waitFor(() => expect(asked()).toMatchObject({ held: 'true', person: 'ada@example.org' }));
  expect(router.state.location.search).toBe('?person=ada%40example.org&state=held');
});

it('tells desktops from terminals, and shows one kind alone', async () => {
  recordings = [live, { ...marked, kind: 'desktop', size: null }];
  const router = open();
  const user = userEvent.setup();
  const first = await screen.findByRole('row', { name: /Greenhouse/ });
  expect(within(first).getByRole('img', { name: 'Terminal' })).toBeInTheDocument();
  const second = screen.getByRole('row', { name: /Barn.*Ended/ });
  expect(within(second).getByRole('img', { name: 'Desktop' })).toBeInTheDocument();
  await user.click(screen.getByRole('combobox', { name: 'Kind' }));
  await user.click(await screen.findByRole('option', { name: 'Desktop' }));
  await waitFor(() => expect(asked()).toEqual({ account: ACCOUNT, limit: '50', kind: 'desktop' }));
  expect(router.state.location.search).toBe('?kind=desktop');
});

it('leads to older sessions and back', async () => {
  next = live.id;
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(asked()).toMatchObject({ before: live.id }));
  await user.click(screen.getByRole('button', { name: 'Newest' }));
  await waitFor(() => expect(asked()).not.toHaveProperty('before'));
});

it('opens a session by keys', async () => {
  open();
  await screen.findByRole('row', { name: /Greenhouse/ });
  await userEvent.keyboard('j{Enter}');
  expect(await screen.findByText('the player')).toBeInTheDocument();
});

it('says how recording is turned on to those who can, and whom to ask to others', async () => {
  recordings = [];
  open();
  expect(await screen.findByRole('link', { name: 'Turn on recording' })).toHaveAttribute(
    'href',
    `/recording/${ACCOUNT}`,
  );
});

it('says whom to ask to people who can not turn recording on', async () => {
  recordings = [];
  open('/sessions', admin);
  expect(await screen.findByText(/An owner of the account can turn it on/)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Turn on recording' })).not.toBeInTheDocument();
});

it('waits for sessions where recording is on', async () => {
  recordings = [];
  policy = 'required';
  open();
  expect(await screen.findByText(/Recording is on/)).toBeInTheDocument();
});

it('shows a Member the own sessions alone, without a search', async () => {
  open('/sessions?search=secret', person());
  await waitFor(() => expect(asked()).toMatchObject({ own: 'true' }));
  expect(screen.getByText(/Owners and admins of the account can play them/)).toBeInTheDocument();
  expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Recording settings' })).not.toBeInTheDocument();
});

it('shows SuperAdmins the account in the address, else all', async () => {
  open('/sessions', superAdmin);
  expect(await screen.findAllByText('ada@example.org · Northwind')).toHaveLength(2);
  expect(asked()).toEqual({ limit: '50' });
});

it('searches on in older recordings until there is a hit, which opens its moment', async () => {
  const found = {
    hits: [{ recording: marked.id, atMs: 93_500, offset: 7, line: 'cat Secret.txt' }],
    recordings: [marked],
    next: null,
  };
  const pages = [{ hits: [], recordings: [], next: 'c1' }, found];
  hub.on(/^\/api\/recordings\/search$/, () => ({ body: pages.shift() ?? found }));
  open('/sessions?search=secret');
  const hit = await screen.findByRole('link', { name: /1:33/ });
  expect(hit).toHaveTextContent('1:33cat Secret.txt');
  expect(hit).toHaveAttribute('href', `/sessions/${marked.id}?t=93.5&find=secret`);
  expect(within(hit).getByText('Secret').tagName).toBe('MARK');
  expect(screen.getByRole('list', { name: 'Hits on Barn' })).toBeInTheDocument();
  expect(hub.lastQuery('/api/recordings/search')).toMatchObject({ search: 'secret', cursor: 'c1', account: ACCOUNT });
});
