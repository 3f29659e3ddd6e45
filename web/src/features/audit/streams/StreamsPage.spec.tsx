import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { StreamsPage } from './StreamsPage.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' }, permissions: ['audit.read', 'audit.manage'] } as never);
const admin = person({ group: { id: 'g', role: 'Admin' }, permissions: ['audit.read'] } as never);
const STREAMS = '/api/audit/streams';
const stream = {
  id: 's1',
  accountId: ACCOUNT,
  name: 'SIEM',
  kind: 'webhook',
  url: 'https://siem.example.org/…9f3c',
  ca: '',
  actions: ['device.*'],
  outcomes: [],
  enabled: true,
  lastDelivery: null,
  failingSince: '2026-01-31T08:15:30.000Z',
  lastError: 'The receiver answered 503.',
  delivered: 12,
  skipped: 3,
  lastGap: null,
  waiting: 7,
  waitingSince: '2026-01-31T08:15:30.000Z',
  formerSecretUntil: null,
};

let hub: FakeHub;
let files: boolean;

beforeEach(() => {
  files = false;
  hub = new FakeHub()
    .on(/^\/api\/audit\/streams$/, (_url, { method }) => ({
      body: method === 'POST' ? { result: stream, secret: 'whsec_abc' } : { streams: [stream], files },
    }))
    .on(/\/s1$/, () => ({ body: { result: stream } }))
    .on(/\/rotate-secret$/, () => ({ body: { result: stream, secret: 'whsec_new' } }))
    .on(/\/test$/, () => ({ body: { delivered: false, reason: 'The receiver answered 503.' } }))
    .on(/\/retention$/, () => ({ body: { months: null, defaultMonths: 24 } }));
});

function open(session = owner) {
  const element = (
    <SessionContext value={session}>
      <StreamsPage />
    </SessionContext>
  );
  return show(
    [
      { path: '/audit/streams', element },
      { path: '/audit', element: <p>The trail</p> },
    ],
    '/audit/streams',
  );
}

it('shows why a receiver fails, what waits, and what retention removed before', async () => {
  open();
  const row = within((await screen.findByText('SIEM')).closest('tr') as HTMLElement);
  expect(row.getAllByText(/The receiver answered 503/)[0]).toBeInTheDocument();
  expect(row.getByText('7 events')).toBeInTheDocument();
  expect(row.getAllByText('3 events removed by retention before delivery')[0]).toBeInTheDocument();
});

it('names what is missing, creates a stream, and shows its secret once', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New stream' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New stream' }));
  await user.click(dialog.getByRole('button', { name: 'Create stream' }));
  expect(dialog.getByText('Enter a name.')).toBeInTheDocument();
  expect(dialog.getByText('Enter an address that begins with tls://.')).toBeInTheDocument();
  await user.click(dialog.getByRole('radio', { name: 'Webhook' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'SIEM');
  await user.type(dialog.getByRole('textbox', { name: /^URL/ }), 'https://siem.example.org/x');
  await user.type(dialog.getByRole('textbox', { name: /^Actions/ }), 'device.*, session.sign_in');
  await user.click(dialog.getByRole('checkbox', { name: 'Refused' }));
  await user.click(dialog.getByRole('button', { name: 'Create stream' }));
  expect(await screen.findByRole('dialog', { name: 'Signing secret' })).toHaveTextContent('whsec_abc');
  expect(hub.lastBody(STREAMS)).toMatchObject({
    account: ACCOUNT,
    scope: 'account',
    kind: 'webhook',
    url: 'https://siem.example.org/x',
    actions: ['device.*', 'session.sign_in'],
    outcomes: ['refused'],
  });
});

it('pauses a stream, and sets the retention with a warning', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('switch', { name: 'Enable SIEM' }));
  await waitFor(() => expect(hub.lastBody(`${STREAMS}/s1`)).toEqual({ enabled: false }));
  const months = await screen.findByRole('textbox', { name: /^Months/ });
  await user.type(months, '0');
  expect(screen.getByText('Enter a whole number from 1 to 120.')).toBeInTheDocument();
  await user.clear(months);
  await user.type(months, '6');
  expect(screen.getByText('Events older than 6 months are removed within an hour.')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Save retention' }));
  await waitFor(() => expect(hub.lastBody('/api/audit/retention')).toEqual({ account: ACCOUNT, months: 6 }));
});

it('rotates the secret of a webhook, and shows the new one once', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Actions for SIEM' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rotate signing secret' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rotate signing secret' }));
  expect(await screen.findByRole('dialog', { name: 'Signing secret' })).toHaveTextContent('whsec_new');
});

it('offers files where the hub has a folder for them, without a URL', async () => {
  files = true;
  open();
  const user = userEvent.setup();
  await screen.findByText('SIEM');
  await user.click(await screen.findByRole('button', { name: 'New stream' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New stream' }));
  await user.click(dialog.getByRole('radio', { name: 'File' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Archive');
  await user.click(dialog.getByRole('button', { name: 'Create stream' }));
  await waitFor(() => expect(hub.lastBody(STREAMS)).toMatchObject({ kind: 'file', name: 'Archive' }));
  expect(hub.lastBody(STREAMS)).not.toHaveProperty('url');
});

it('is not for those who may only read the trail', async () => {
  open(admin);
  expect(await screen.findByText('The trail')).toBeInTheDocument();
  expect(hub.sent).not.toContain(`GET ${STREAMS}`);
});
