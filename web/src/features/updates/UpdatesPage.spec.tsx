import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeHub } from '../../testing/fake-hub.ts';
import { person } from '../../testing/people.ts';
import { SessionContext } from '../../lib/session.ts';
import { show } from '../../testing/render.tsx';
import { UpdatesPage } from './UpdatesPage.tsx';

const none = {
  waiting: 0,
  busy: 0,
  updating: 0,
  download_failed: 0,
  trial: 0,
  updated: 0,
  failed: 0,
  flapping: 0,
  returning: 0,
  returned: 0,
};
const rollout = (change: object = {}) => ({
  id: 'r1',
  version: '0.2.0',
  account: null,
  share: 10,
  state: 'running',
  why: '',
  created: '2026-03-04T10:00:00.000Z',
  created_by: 'Ada Brown',
  counts: { ...none, updated: 3, waiting: 1 },
  ...change,
});
const listed = (name: string, state: string, why = '') => ({
  id: name,
  name,
  account: { id: 'a1', name: 'Meadow Farms' },
  state,
  why,
  from: '0.1.0',
  since: '2026-03-04T10:00:00.000Z',
});
const release = (version: string) => ({ version, packages: [] });
const runs = (version: string, devices: number) => ({ version, devices, connected: devices });

let hub: FakeHub;
let rollouts = [rollout()];
let used = [runs('0.1.0', 12)];

beforeEach(() => {
  rollouts = [rollout()];
  used = [runs('0.1.0', 12)];
  hub = new FakeHub()
    .on(/^\/api\/updates\/rollouts$/, (_url, { method }) =>
      method === 'POST'
        ? { status: 201, body: { msg: 'done', result: rollout() } }
        : { body: { total: rollouts.length, rollouts } },
    )
    .on(/^\/api\/updates\/rollouts\/r1/, () => ({ body: { msg: 'done', result: rollout() } }))
    .on(/^\/api\/updates\/releases$/, () => ({
      body: { releases: [release('0.2.0'), release('0.1.0')], installed: '0.2.0', newer: '' },
    }))
    .on(/^\/api\/updates\/versions$/, () => ({ body: { versions: used } }));
});

const session = person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } as never });
const open = () =>
  show(
    [
      {
        path: '/updates',
        element: (
          <SessionContext value={session}>
            <UpdatesPage />
          </SessionContext>
        ),
      },
    ],
    '/updates',
  );

async function begin() {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New rollout' }));
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'New rollout' })) };
}

/** The card of the one rollout. */
const card = async () => within(await screen.findByRole('article', { name: 'Devices of the rollout of 0.2.0' }));

it('shows what devices run, and what there is that none has', async () => {
  open();
  const versions = within(await screen.findByRole('region', { name: 'Versions in the fleet' }));
  expect(await versions.findByText('12 devices')).toBeInTheDocument();
  expect(versions.getByText('No device has it.')).toBeInTheDocument();
  expect(versions.getByText('new devices get it')).toBeInTheDocument();
});

it('offers the newest version to all accounts, unless another one is chosen', async () => {
  const { user, dialog } = await begin();
  expect(await dialog.findByText(/^12 devices run another version/)).toBeInTheDocument();
  expect(dialog.getByRole('combobox', { name: 'Version' })).toHaveValue('0.2.0');
  await user.click(dialog.getByRole('button', { name: 'Begin' }));
  await waitFor(() =>
    expect(hub.lastBody('/api/updates/rollouts')).toEqual({ version: '0.2.0', account: 'ALL', share: 10 }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

it('offers no version by itself that every device runs, and says so when it is chosen', async () => {
  used = [runs('0.2.0', 12), runs('', 1)];
  const { user, dialog } = await begin();
  await waitFor(() => expect(dialog.getByRole('combobox', { name: 'Version' })).toHaveValue(''));
  expect(dialog.getByRole('button', { name: 'Begin' })).toBeDisabled();
  await user.click(dialog.getByRole('combobox', { name: 'Version' }));
  await user.click(await screen.findByRole('option', { name: '0.2.0' }));
  expect(dialog.getByRole('status')).toHaveTextContent('Every device runs 0.2.0 already.');
  expect(dialog.getByRole('button', { name: 'Begin' })).toBeEnabled();
});

it('keeps the dialog, with the hub’s words, when another rollout is open', async () => {
  hub.on(/^\/api\/updates\/rollouts$/, (_url, { method }) =>
    method === 'POST'
      ? { status: 409, body: { statusCode: 409, code: 'failed_precondition', message: 'Rollout: one is still open.' } }
      : { body: { total: 1, rollouts } },
  );
  const { user, dialog } = await begin();
  await user.click(await dialog.findByRole('button', { name: 'Begin' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('one is still open.');
});

it('counts a rollout’s devices, and offers what its state allows', async () => {
  open();
  const running = await card();
  expect(running.getByText('10 % of the devices of all accounts')).toBeInTheDocument();
  expect(running.getByText('updated')).toBeInTheDocument();
  const buttons = running.getAllByRole('button').map((button) => button.textContent);
  expect(buttons).toEqual(['Pause', 'Raise share', 'Roll back', 'End rollout', 'Show devices']);
});

it.each([
  ['paused', ['Resume', 'Raise share', 'Roll back', 'End rollout', 'Show devices']],
  ['done', ['Roll back', 'Show devices']],
  ['rolled_back', ['Show devices']],
])('offers for a rollout that is %s what that allows', async (state, offered) => {
  rollouts = [rollout({ state })];
  open();
  expect((await card()).getAllByRole('button').map((button) => button.textContent)).toEqual(offered);
});

it('says why a rollout stopped by itself', async () => {
  rollouts = [rollout({ state: 'paused', why: '3 of 9 devices failed' })];
  open();
  expect((await card()).getByRole('alert')).toHaveTextContent('Stopped by itself: 3 of 9 devices failed.');
});

it('says on how many devices a version flaps, and what to do', async () => {
  const counts = { ...none, updated: 1, trial: 4, flapping: 3 };
  rollouts = [rollout({ state: 'paused', why: '3 of 4 devices that tried it failed; it flaps on 3', counts })];
  open();
  const [stopped, flapping] = (await card()).getAllByRole('alert');
  expect(stopped).toHaveTextContent('it flaps on 3.');
  expect(flapping).toHaveTextContent('Version 0.2.0 flaps on 3 devices');
  expect(flapping).toHaveTextContent('Roll back returns them.');
  expect((await card()).getByText('on trial')).toHaveTextContent('4');
  expect((await card()).getByText('flapping')).toHaveTextContent('3');
});

it('raises the share, never lowers it, and pauses at once', async () => {
  open();
  const user = userEvent.setup();
  await user.click((await card()).getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/updates/rollouts/r1/pause'));
  await user.click((await card()).getByRole('button', { name: 'Raise share' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Raise share' }));
  expect(dialog.getByLabelText('Share of the devices')).toHaveValue('20 %');
  await user.click(dialog.getByRole('button', { name: 'Raise' }));
  await waitFor(() => expect(hub.lastBody('/api/updates/rollouts/r1')).toEqual({ share: 20 }));
});

it('asks before a rollout is rolled back, and says what that does', async () => {
  open();
  const user = userEvent.setup();
  await user.click((await card()).getByRole('button', { name: 'Roll back' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Roll back' }));
  expect(dialog.getByText(/go back to the version that they had/)).toBeInTheDocument();
  expect(hub.sent).not.toContain('POST /api/updates/rollouts/r1/roll_back');
  await user.click(dialog.getByRole('button', { name: 'Roll back' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/updates/rollouts/r1/roll_back'));
});

it('lists a rollout’s devices with the result of each, when it is expanded', async () => {
  hub.on(/^\/api\/updates\/rollouts\/r1\/devices$/, () => ({
    body: {
      total: 4,
      devices: [
        listed('pump-house', 'failed', 'No space left'),
        listed('mill', 'flapping', 'it crashed 3 times'),
        listed('silo', 'download_failed', 'name: nobody knows this name'),
        listed('barn', 'updated'),
      ],
    },
  }));
  open();
  const user = userEvent.setup();
  await user.click((await card()).getByRole('button', { name: 'Show devices' }));
  const row = within((await screen.findByRole('link', { name: 'pump-house' })).closest('tr') as HTMLElement);
  expect(row.getByText('Failed')).toBeInTheDocument();
  expect(row.getByRole('cell', { name: 'No space left' })).toBeInTheDocument();
  const silo = within(screen.getByRole('link', { name: 'silo' }).closest('tr') as HTMLElement);
  expect(silo.getByText('Download failed, tries again')).toBeInTheDocument();
  expect(silo.getByRole('cell', { name: 'name: nobody knows this name' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Retry mill' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Retry barn' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Retry pump-house' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/updates/rollouts/r1/devices/pump-house/retry'));
});

it('says what to do first while there is no rollout', async () => {
  rollouts = [];
  open();
  expect(await screen.findByText('No rollout yet')).toBeInTheDocument();
});

it('says how many devices wait for their windows, and when the first one opens, by its own clock', async () => {
  const wait = { devices: 2, opens: '2026-03-07T01:00:00.000Z', time_zone: 'Europe/Berlin' };
  rollouts = [rollout({ wait })];
  open();
  expect((await card()).getByRole('status')).toHaveTextContent(
    // Versions of ICU differ in the comma.
    /^2 devices wait for their update window; the next one opens Sat,? 7 Mar, 02:00 \(Europe\/Berlin\)\.$/,
  );
});

it('asks before a device is updated outside its window', async () => {
  hub.on(/^\/api\/updates\/rollouts\/r1\/devices$/, () => ({
    body: { total: 1, devices: [listed('greenhouse', 'window')] },
  }));
  open();
  const user = userEvent.setup();
  await user.click((await card()).getByRole('button', { name: 'Show devices' }));
  expect(await (await card()).findByText('Waiting for the update window')).toBeInTheDocument();
  await user.click((await card()).getByRole('button', { name: 'Update greenhouse now' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Update now' }));
  expect(dialog.getByText(/outside the update window of its account/)).toBeInTheDocument();
  expect(hub.sent).not.toContain('POST /api/updates/rollouts/r1/devices/greenhouse/retry');
  await user.click(dialog.getByRole('button', { name: 'Update now' }));
  await waitFor(() => expect(hub.sent).toContain('POST /api/updates/rollouts/r1/devices/greenhouse/retry'));
});
