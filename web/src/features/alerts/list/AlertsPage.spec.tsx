import { beforeEach, expect, it } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { alert, rule } from '../../../testing/alerts.ts';
import { FakeEventSource } from '../../../testing/fake-event-source.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { AlertsPage } from './AlertsPage.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' }, permissions: ['alerts.acknowledge'] } as never);
const superAdmin = person({
  operator: true,
  group: { id: 'g', role: 'SuperAdmin' },
  permissions: ['alerts.acknowledge'],
} as never);

let hub: FakeHub;
let alerts = [alert()];
let total = 1;

beforeEach(() => {
  alerts = [alert(), alert({ id: 'al2', deviceId: 'd2', deviceName: 'Barn', severity: 'warning', ruleName: 'Disk' })];
  total = 2;
  hub = new FakeHub()
    .on(/^\/api\/alerts$/, () => ({ body: { total, alerts } }))
    .on(/^\/api\/alerts\/acknowledge$/, () => ({ body: { changed: 1 } }))
    .on(/^\/api\/alert-rules$/, () => ({ body: { rules: [rule()] } }));
});

function open(query = '', session: Session = owner) {
  const element = (
    <SessionContext value={session}>
      <AlertsPage />
    </SessionContext>
  );
  return show(
    [
      { path: '/alerts', element },
      { path: '/devices/:account_id/:id', element: <p>device page</p> },
    ],
    `/alerts${query}`,
  );
}

const asked = () => hub.lastQuery('/api/alerts');

it('shows open alerts of the own account, with severity as a word', async () => {
  open();
  const row = (await screen.findByRole('link', { name: 'Greenhouse' })).closest('tr') as HTMLElement;
  expect(within(row).getByText('Critical')).toBeInTheDocument();
  expect(within(row).getByText('Not yet')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Greenhouse' })).toHaveAttribute('href', `/devices/${ACCOUNT}/d1`);
  expect(asked()).toEqual({ account: ACCOUNT, state: 'open', limit: '50' });
});

it('keeps filters in the address, and asks for them', async () => {
  const router = open('?severity=warning&acknowledged=false');
  const user = userEvent.setup();
  await screen.findByRole('link', { name: 'Greenhouse' });
  expect(asked()).toMatchObject({ severity: 'warning', acknowledged: 'false' });
  await user.click(screen.getByRole('combobox', { name: 'Rule' }));
  await user.click(await screen.findByRole('option', { name: 'Offline' }));
  await waitFor(() => expect(asked()).toMatchObject({ rule: 'r1' }));
  await user.click(screen.getByRole('radio', { name: 'Past' }));
  await waitFor(() => expect(asked()).toMatchObject({ state: 'closed', severity: 'warning', rule: 'r1' }));
  expect(router.state.location.search).toBe('?severity=warning&rule=r1&state=closed');
});

it('acknowledges selected alerts with a note', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Offline, Greenhouse' }));
  await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
  const dialog = await screen.findByRole('dialog', { name: 'Acknowledge 1 alert' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Note' }), 'On my way');
  await user.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(hub.lastBody('/api/alerts/acknowledge')).toEqual({ ids: ['al1'], note: 'On my way' });
  expect(screen.queryByText('1 selected')).not.toBeInTheDocument();
});

it('is walked by keys: selects, and opens the device', async () => {
  const router = open();
  const user = userEvent.setup();
  await screen.findByRole('link', { name: 'Greenhouse' });
  await user.keyboard('jjx');
  expect(screen.getByRole('checkbox', { name: 'Select Disk, Barn' })).toBeChecked();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('device page')).toBeInTheDocument();
  expect(router.state.location.pathname).toBe(`/devices/${ACCOUNT}/d2`);
});

it('has no checkboxes for people who may not acknowledge, nor for past alerts', async () => {
  open('', person());
  await screen.findByRole('link', { name: 'Greenhouse' });
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Channels' })).not.toBeInTheDocument();
});

it('says how long a past alert lasted', async () => {
  alerts = [alert({ state: 'closed', closedAt: '2026-03-04T11:30:00.000Z' })];
  open('?state=closed');
  expect(await screen.findByRole('cell', { name: '1 h 30 min' })).toBeInTheDocument();
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
});

it('leads to older alerts and back to the newest', async () => {
  alerts = Array.from({ length: 50 }, (_, index) => alert({ id: `al${index}`, deviceName: `device-${index}` }));
  total = 120;
  open();
  const user = userEvent.setup();
  expect(await screen.findByText('50 of 120')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Older' }));
  await waitFor(() => expect(asked()).toMatchObject({ before: 'al49' }));
  await user.click(screen.getByRole('button', { name: 'Newest' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Newest' })).toBeDisabled());
});

it('shows whose an alert is to operator users who look at all accounts', async () => {
  open('', superAdmin);
  expect(await screen.findAllByRole('link', { name: 'Northwind' })).toHaveLength(2);
  expect(asked()).toEqual({ state: 'open', limit: '50' });
});

it('says what an empty list means, and brings the others back', async () => {
  alerts = [];
  total = 0;
  const router = open('?severity=info');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByRole('link', { name: 'See rules' })).toHaveAttribute('href', '/alerts/rules');
  expect(router.state.location.search).toBe('');
});

it('shows an alert that opens by itself', async () => {
  open();
  await screen.findByRole('link', { name: 'Greenhouse' });
  alerts = [alert({ id: 'al3', deviceName: 'Pump house' }), ...alerts];
  act(() => FakeEventSource.say({ kind: 'alert', id: '', account: ACCOUNT }));
  expect(await screen.findByRole('link', { name: 'Pump house' })).toBeInTheDocument();
});
