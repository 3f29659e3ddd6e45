import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { RecordingSettingsPage } from './RecordingSettingsPage.tsx';
import { redact } from './redact.ts';

const GIB = 1_073_741_824;
const owner = person({
  group: { id: 'g', role: 'Owner' } as never,
  permissions: ['recordings.view', 'recordings.manage'] as never,
});
const admin = person({ group: { id: 'g', role: 'Admin' } as never, permissions: ['recordings.view'] as never });

let hub: FakeHub;
let settings: Record<string, unknown>;

beforeEach(() => {
  settings = {
    policy: 'off',
    filter: '',
    days: null,
    quota: null,
    full: 'drop_oldest',
    redactions: [],
    search: true,
    desktops: false,
    version: 3,
    defaultDays: 90,
    defaultQuota: 20 * GIB,
    used: 3 * GIB,
    recordings: 12,
    problem: null,
  };
  hub = new FakeHub()
    .on(/settings$/, (_url, { method }) => ({ body: method === 'GET' ? settings : { msg: 'done', result: settings } }))
    .on(/^\/api\/devices$/, () => ({ body: { total: 7, devices: [] } }))
    .on(/labels$/, () => ({ body: { labels: [] } }));
});

const open = (session: Session = owner) =>
  show(
    [
      {
        path: '/recording/:account_id',
        element: (
          <SessionContext value={session}>
            <RecordingSettingsPage />
          </SessionContext>
        ),
      },
      { path: '/', element: <p>home</p> },
    ],
    `/recording/${ACCOUNT}`,
  );

it('turns recording on, with what is kept and for how long', async () => {
  open();
  const user = userEvent.setup();
  expect(await screen.findByText(/may include secrets and personal data/)).toBeInTheDocument();
  await user.click(await screen.findByRole('radio', { name: /Required/ }));
  await user.click(screen.getByRole('switch', { name: /Record desktops too/ }));
  await user.type(screen.getByRole('textbox', { name: 'Retention in days' }), '30');
  expect(screen.getByText('Recordings older than 30 days are deleted.')).toBeInTheDocument();
  await user.type(screen.getByRole('textbox', { name: 'Quota in GiB' }), '2.5');
  await user.click(screen.getByRole('textbox', { name: 'Redaction rules' }));
  await user.paste('token=\\w+\n\n[0-9]{{4}');
  await user.click(screen.getByRole('button', { name: 'Save settings' }));
  await waitFor(() =>
    expect(hub.lastBody('/api/recordings/settings')).toMatchObject({
      account: ACCOUNT,
      version: 3,
      policy: 'required',
      desktops: true,
      days: 30,
      quota: 2.5 * GIB,
      redactions: ['token=\\w+', '[0-9]{{4}'],
    }),
  );
});

it('refuses values that the hub would refuse', async () => {
  settings['policy'] = 'best_effort';
  open();
  const user = userEvent.setup();
  await user.type(await screen.findByRole('textbox', { name: 'Retention in days' }), '0');
  expect(screen.getByText('expected at least 1 day')).toBeInTheDocument();
  await user.type(screen.getByRole('textbox', { name: 'Quota in GiB' }), 'much');
  expect(screen.getByText(/Enter a number from/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Save settings' })).toBeDisabled();
});

it('shows what the rules mask in a sample', async () => {
  settings['policy'] = 'best_effort';
  settings['redactions'] = ['token=\\w+'];
  open();
  const user = userEvent.setup();
  await user.type(await screen.findByRole('textbox', { name: 'Try the rules' }), 'a token=abc b');
  expect(screen.getByRole('status', { name: 'Result' })).toHaveTextContent('a ********* b');
});

it('says why nothing can be recorded', async () => {
  settings['problem'] = 'CHANNEL_KEY is not set.';
  open();
  expect(await screen.findByText('Nothing can be recorded now: CHANNEL_KEY is not set.')).toBeInTheDocument();
});

it('shows admins the settings, and lets them change nothing', async () => {
  settings['policy'] = 'best_effort';
  open(admin);
  expect(await screen.findByRole('radio', { name: /Best effort/ })).toBeChecked();
  expect(screen.getByRole('radio', { name: /Off/ })).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save settings' })).not.toBeInTheDocument();
});

it('is not there for Members', async () => {
  open(person());
  expect(await screen.findByText('home')).toBeInTheDocument();
});

it('masks as the hub does, and says which rule is none', () => {
  expect(redact(['b+', '(?i)X'], 'abbbx')).toEqual({ text: 'a****', problem: null });
  expect(redact(['a', '(?=a)'], 'aa').problem).toMatchObject({ index: 1 });
  expect(redact(['x*'], 'ab')).toEqual({ text: 'ab', problem: null });
});
