import { beforeEach, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { SessionContext, type Session } from '../../lib/session.ts';
import { auditEvent } from '../../testing/audit.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AuditEventPage } from './AuditEventPage.tsx';
import { AuditPage } from './AuditPage.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' } as never });
const superAdmin = person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } as never });
const idOf = (at: number) => `019c0000-0000-7000-8000-0000000000${String(at).padStart(2, '0')}`;
const refused = auditEvent({
  id: idOf(4),
  action: 'device.delete',
  outcome: 'refused',
  reason: 'your role may not do this (devices.manage).',
  changes: [],
  details: { operation: 'deleteDevice' },
});

let hub: FakeHub;
let events = [auditEvent(), refused];
let next: string | null = null;
let hovers = false;

beforeEach(() => {
  events = [auditEvent(), refused];
  next = null;
  hovers = true;
  window.matchMedia = ((query: string) => ({
    matches: query.includes('hover') && hovers,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
  })) as never;
  hub = new FakeHub()
    .on(/^\/api\/audit\/events$/, () => ({ body: { events, next } }))
    .on(/^\/api\/audit\/events\/.+/, () => ({ body: { event: refused } }));
});

function open(address = '/audit', session: Session = owner) {
  const inSession = (page: ReactNode) => <SessionContext value={session}>{page}</SessionContext>;
  return show(
    [
      { path: '/audit', element: inSession(<AuditPage />) },
      { path: '/audit/:id', element: inSession(<AuditEventPage />) },
    ],
    address,
  );
}

const asked = () => hub.lastQuery('/api/audit/events');
const rowOf = (name: RegExp) => screen.findByRole('button', { name });

it('shows what happened, on what, by whom, and what was refused', async () => {
  open();
  expect(await rowOf(/Rename device Greenhouse.*Ada Brown.*203\.0\.113\.9/)).toBeInTheDocument();
  expect(await rowOf(/Delete device Greenhouse.*Refused/)).toBeInTheDocument();
  expect(asked()).toEqual({ account: ACCOUNT, limit: '50' });
});

it('shows operations by their actions, and by their ids where they have none', async () => {
  const target = { kind: 'operation' as const, id: 'startBulkJob', name: '' };
  events = [{ ...refused, action: 'bulk_job.start', target }];
  events.push({ ...refused, id: idOf(3), action: 'access.deny', target: { ...target, id: 'getThing' } });
  open();
  expect(await rowOf(/Start bulk job.*Refused/)).not.toHaveTextContent('startBulkJob');
  expect(await rowOf(/getThing.*Refused/)).toBeInTheDocument();
});

it('shows what a session carried, its counts with separators', async () => {
  const details = { bytes_from_device: 9_120_331, bytes_to_device: 48_210, requests: 1_024, seconds: 5_400 };
  events = [auditEvent({ action: 'web_service.close', changes: [], details })];
  open();
  await userEvent.click(await rowOf(/Greenhouse/));
  const shown = ['Bytes from device', 'Bytes to device', 'Requests', 'Seconds'].map(
    (label) => screen.getByText(label).nextElementSibling?.textContent,
  );
  expect(shown).toEqual(['9,120,331', '48,210', '1,024', '5400']);
});

it('opens an event to what changed, and narrows the list to what it is about', async () => {
  const router = open();
  const user = userEvent.setup();
  const row = await rowOf(/Rename device/);
  await user.click(row);
  expect(row).toHaveAttribute('aria-expanded', 'true');
  const changes = screen.getByRole('table', { name: 'Changes' });
  expect(within(changes).getByRole('row', { name: 'Name rpi-1 Greenhouse' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open Greenhouse' })).toHaveAttribute('href', `/devices/${ACCOUNT}/d1`);
  await user.click(screen.getByRole('button', { name: 'Only this target' }));
  await waitFor(() => expect(asked()).toMatchObject({ target: 'd1' }));
  expect(router.state.location.search).toBe('?target=d1');
  await user.click(await screen.findByRole('button', { name: 'Target: Greenhouse' }));
  await waitFor(() => expect(asked()).not.toHaveProperty('target'));
});

it('never shows a secret, only that it changed', async () => {
  events = [auditEvent({ changes: [{ field: 'signing_secret', hidden: true }] })];
  open();
  const user = userEvent.setup();
  await user.click(await rowOf(/Rename device/));
  const row = screen.getByRole('row', { name: /Signing secret/ });
  expect(within(row).getAllByText('hidden')).toHaveLength(2);
});

it('continues a search that found nothing yet, until there is an event', async () => {
  const pages = [idOf(30), idOf(20), null].map((before, at) => ({ events: at === 2 ? [refused] : [], next: before }));
  hub.on(/^\/api\/audit\/events$/, () => ({ body: pages.shift() ?? { events: [], next: null } }));
  open('/audit?search=greenhouse');
  await rowOf(/Delete device/);
  expect(asked()).toMatchObject({ search: 'greenhouse', before: idOf(20) });
});

it('searches from the newest event when a search is repeated or read again', async () => {
  let isFound = true;
  const old = auditEvent({ id: idOf(10), target: { kind: 'device', id: 'd2', name: 'Barn' } });
  const searches: (string | null)[] = [];
  hub.on(/^\/api\/audit\/events$/, ({ searchParams }) => {
    const before = searchParams.get('before');
    if (searchParams.get('search') === 'other') return { body: { events: [refused], next: null } };
    searches.push(before);
    if (!before) return { body: { events: [], next: idOf(20) } };
    return isFound ? { body: { events: [old], next: null } } : { status: 400, body: {} };
  });
  const router = open('/audit?search=barn');
  const user = userEvent.setup();
  await rowOf(/Barn/);
  await act(() => router.navigate('/audit?search=other'));
  await rowOf(/Delete device/);
  isFound = false;
  await act(() => router.navigate('/audit?search=barn'));
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isFound = true;
  await user.click(retry);
  await rowOf(/Barn/);
  expect(searches).toEqual([null, idOf(20), null, idOf(20), null, idOf(20)]);
});

it('keeps the filters in the address, and exports what they show', async () => {
  const router = open('/audit?search=greenhouse&outcome=refused');
  const user = userEvent.setup();
  await rowOf(/Rename device/);
  expect(asked()).toMatchObject({ search: 'greenhouse', outcome: 'refused' });
  await user.click(screen.getByRole('combobox', { name: 'Action' }));
  await user.click(await screen.findByRole('option', { name: 'All: Devices' }));
  await waitFor(() => expect(asked()).toMatchObject({ action: 'device.*' }));
  await user.click(screen.getByRole('combobox', { name: 'Time' }));
  await user.click(await screen.findByRole('option', { name: 'Last hour' }));
  await waitFor(() => expect(asked()).toHaveProperty('from'));
  expect(router.state.location.search).toBe('?search=greenhouse&outcome=refused&action=device.*&range=1h');
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const link = await screen.findByRole('menuitem', { name: 'CSV' });
  const query = new URL(link.getAttribute('href') ?? '', 'http://hub').searchParams;
  expect(Object.fromEntries(query)).toMatchObject({ account: ACCOUNT, outcome: 'refused', format: 'csv' });
});

it('leads to older events and back', async () => {
  next = idOf(4);
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Older' }));
  await waitFor(() => expect(asked()).toMatchObject({ before: idOf(4) }));
  await user.click(screen.getByRole('button', { name: 'Newest' }));
  await waitFor(() => expect(asked()).not.toHaveProperty('before'));
});

it('says whose an event is to those who look at all accounts', async () => {
  open('/audit', superAdmin);
  expect(await rowOf(/Rename device.*Northwind/)).toBeInTheDocument();
  expect(asked()).toEqual({ limit: '50' });
});

it('has a page for a link to one event', async () => {
  open(`/audit/${refused.id}`);
  expect(await screen.findByRole('heading', { name: 'Delete device' })).toBeInTheDocument();
  expect(screen.getByText('your role may not do this (devices.manage).')).toBeInTheDocument();
});

it('says what an empty list means', async () => {
  events = [];
  const router = open('/audit?outcome=failed');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('No events yet')).toBeInTheDocument();
  expect(router.state.location.search).toBe('');
});

function happens(at: number): void {
  events = [auditEvent({ id: idOf(at), target: { kind: 'device', id: 'd2', name: `Barn ${at}` } }), ...events];
  act(() => FakeEventSource.say({ kind: 'audit', id: ACCOUNT, account: ACCOUNT }));
}

it('shows new events by itself only in live mode', async () => {
  open();
  const user = userEvent.setup();
  await rowOf(/Rename device/);
  const calls = hub.asked.length;
  happens(6);
  expect(hub.asked).toHaveLength(calls);
  await user.click(screen.getByRole('switch', { name: 'Live' }));
  happens(7);
  expect(await rowOf(/Barn 7/)).toBeInTheDocument();
});

it('holds new events while somebody reads the list', async () => {
  open('/audit?live=yes');
  const row = await rowOf(/Rename device/);
  act(() => row.focus());
  happens(6);
  expect(await screen.findByRole('button', { name: 'Show 1 new event' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Barn 6/ })).not.toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'Show 1 new event' }));
  expect(await rowOf(/Barn 6/)).toBeInTheDocument();
  act(() => row.focus());
  happens(7);
  await screen.findByRole('button', { name: 'Show 1 new event' });
  act(() => row.blur());
  expect(await rowOf(/Barn 7/)).toBeInTheDocument();
});

it('holds new events of fingers, which do not hover, until they ask', async () => {
  hovers = false;
  open('/audit?live=yes');
  await rowOf(/Rename device/);
  happens(6);
  fireEvent.click(await screen.findByRole('button', { name: 'Show 1 new event' }));
  expect(await rowOf(/Barn 6/)).toBeInTheDocument();
});
