import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../../lib/session.ts';
import { channel, notification } from '../../../testing/alerts.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { ChannelsPage } from './ChannelsPage.tsx';

const owner = person({ group: { id: 'g', role: 'Owner' }, permissions: ['channels.manage'] } as never);
const CHANNELS = '/api/notification-channels';

let hub: FakeHub;

beforeEach(() => {
  hub = new FakeHub()
    .on(/^\/api\/notification-channels$/, (_url, { method }) => ({
      body: method === 'POST' ? { result: channel(), secret: 'whsec_abc' } : { channels: [channel()] },
    }))
    .on(/\/c1$/, () => ({ body: { result: channel() } }))
    .on(/\/test$/, () => ({ body: { delivered: true } }))
    .on(/\/rotate-secret$/, () => ({ body: { result: channel(), secret: 'whsec_new' } }))
    .on(/^\/api\/notifications$/, () => ({ body: { notifications: [notification()], total: 1 } }))
    .on(/\/retry$/, () => ({ body: { msg: 'done' } }));
});

function open() {
  const element = (
    <SessionContext value={owner}>
      <ChannelsPage />
    </SessionContext>
  );
  return show([{ path: '/alerts/channels', element }], '/alerts/channels');
}

const openForm = async () => {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New channel' }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'New channel' })) };
};

it('creates a webhook with quiet hours and an escalation, and shows its secret once', async () => {
  open();
  const { user, dialog } = await openForm();
  await user.click(dialog.getByRole('radio', { name: 'Webhook' }));
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'On call');
  await user.type(dialog.getByRole('textbox', { name: /^URL/ }), 'https://hooks.example.org/x');
  await user.click(dialog.getByRole('radio', { name: 'If nobody acknowledges it' }));
  await user.click(dialog.getByRole('switch', { name: 'Quiet hours' }));
  await user.click(dialog.getByRole('button', { name: 'Create channel' }));
  expect(await screen.findByRole('dialog', { name: 'Signing secret' })).toHaveTextContent('whsec_abc');
  expect(hub.lastBody(CHANNELS)).toMatchObject({
    account: ACCOUNT,
    name: 'On call',
    kind: 'webhook',
    target: { url: 'https://hooks.example.org/x' },
    afterMinutes: 15,
    quiet: { from: '22:00', to: '06:00', exceptCritical: true },
  });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText('whsec_abc')).not.toBeInTheDocument());
});

it('asks for what is missing', async () => {
  open();
  const { user, dialog } = await openForm();
  await user.click(dialog.getByRole('button', { name: 'Create channel' }));
  expect(dialog.getByText('Enter a name.')).toBeInTheDocument();
  expect(dialog.getByText('Enter at least one address.')).toBeInTheDocument();
  await user.click(dialog.getByRole('radio', { name: 'Slack' }));
  expect(dialog.getByText('Enter a URL that begins with https://.')).toBeInTheDocument();
  expect(hub.sent).not.toContain(`POST ${CHANNELS}`);
});

it('keeps the stored URL of a channel whose URL is not typed again', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'On call' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit channel' }));
  expect(dialog.getByText('Leave it empty to keep https://hooks.example.org/…9f3c.')).toBeInTheDocument();
  await user.click(dialog.getByRole('button', { name: 'Save channel' }));
  await waitFor(() => expect(hub.sent).toContain(`PATCH ${CHANNELS}/c1`));
  expect(hub.lastBody(`${CHANNELS}/c1`)).not.toHaveProperty('target');
});

it('sends a test, disables a channel, and makes a new secret', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Send test to On call' }));
  await waitFor(() => expect(hub.sent).toContain(`POST ${CHANNELS}/c1/test`));
  await user.click(screen.getByRole('switch', { name: 'Enable On call' }));
  await waitFor(() => expect(hub.lastBody(`${CHANNELS}/c1`)).toEqual({ enabled: false }));
  await user.click(screen.getByRole('button', { name: 'Actions for On call' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rotate signing secret' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rotate signing secret' }));
  expect(await screen.findByRole('dialog', { name: 'Signing secret' })).toHaveTextContent('whsec_new');
});

it('shows what failed with its reason, and retries it', async () => {
  open();
  const user = userEvent.setup();
  const list = within(await screen.findByRole('region', { name: 'Notifications' }));
  expect(await list.findByText('The receiver answered 503.')).toBeInTheDocument();
  await user.click(list.getByRole('button', { name: 'Retry Offline: 3 devices' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/notifications/n1/retry'));
  await user.click(list.getByRole('radio', { name: 'Failed' }));
  await waitFor(() => expect(hub.lastQuery('/api/notifications')).toMatchObject({ state: 'failed' }));
});
