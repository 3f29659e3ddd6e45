import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { BulkJobDetail } from '../../../lib/api/types.ts';
import { SessionContext } from '../../../lib/session.ts';
import { trackedJobs } from '../../../lib/tracked-jobs.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../../testing/people.ts';
import { show } from '../../../testing/render.tsx';
import { DevicesPage } from '../DevicesPage.tsx';

const JOB = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
let hub: FakeHub;
let job: BulkJobDetail;
let total: number;

beforeEach(() => {
  for (const id of trackedJobs.ids()) trackedJobs.remove(id);
  total = 2;
  job = {
    id: JOB,
    action: 'reboot',
    state: 'running',
    filter: null,
    filter_account: null,
    target: null,
    started_by: 'Ada',
    cancelled_by: null,
    created: '2026-01-31T08:15:30.000Z',
    finished: null,
    counts: { total: 2, waiting: 1, running: 0, done: 0, failed: 1, cancelled: 0 },
    failures: [
      { code: 'offline', reason: 'The device is not connected.', count: 1, devices: [{ id: 'd2', name: 'Pump' }] },
    ],
  };
  hub = new FakeHub()
    .on(/^\/api\/devices$/, () => ({
      body: { total, devices: [device(), device({ id: 'd2', serial: 's2', custom_name: 'Pump' })] },
    }))
    .on(/^\/api\/filters$/, () => ({ body: { filters: [] } }))
    .on(/^\/api\/devices\/bulk$/, (_url, { method }) =>
      method === 'POST' ? { status: 201, body: job } : { body: { jobs: [job] } },
    )
    .on(/^\/api\/devices\/bulk\/[^/]+$/, () => ({ body: job }));
});

const admin = person({
  operator: true,
  permissions: ['devices.manage', 'devices.label', 'updates.manage'] as never,
  group: { id: 'g', role: 'SuperAdmin' } as never,
});

function open(address = `/devices/${ACCOUNT}`, session = admin) {
  const screenOf = (page: React.ReactNode) => <SessionContext value={session}>{page}</SessionContext>;
  return show(
    [
      { path: '/devices', element: screenOf(<DevicesPage />) },
      { path: '/jobs', element: <p>Another page</p> },
      { path: '/devices/:account_id', element: screenOf(<DevicesPage />) },
    ],
    address,
  );
}

async function choose(action: string) {
  const user = userEvent.setup();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Greenhouse' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Pump' }));
  if (total > 2) await user.click(screen.getByRole('button', { name: `Select all ${total}` }));
  await user.click(screen.getByRole('button', { name: /^Actions on/ }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
  return { user, dialog: within(await screen.findByRole('dialog')) };
}

describe('actions on selected devices', () => {
  it('name the devices and start a job, whose progress is shown from then on', async () => {
    open();
    const { user, dialog } = await choose('Reboot');
    expect(dialog.getByRole('heading', { name: 'Reboot 2 devices' })).toBeInTheDocument();
    expect(dialog.getByText('Greenhouse, Pump')).toBeInTheDocument();
    expect(dialog.queryByRole('textbox')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Reboot' }));
    await waitFor(() => expect(hub.lastBody('/api/devices/bulk')).toEqual({ action: 'reboot', ids: ['d1', 'd2'] }));
    await waitFor(() => expect(screen.queryByText('2 selected')).not.toBeInTheDocument());
    expect(trackedJobs.ids()).toEqual([JOB]);
  });

  it('ask for the number where many devices are deleted, and bound what the filter may match', async () => {
    total = 120;
    open(`/devices/${ACCOUNT}?filter=site%3Dnorth`);
    const { user, dialog } = await choose('Delete');
    expect(dialog.getByText(/Greenhouse, Pump and 118 more/)).toBeInTheDocument();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    expect(confirm).toBeDisabled();
    await user.type(dialog.getByRole('textbox', { name: 'Type 120 to confirm' }), '120');
    await user.click(confirm);
    await waitFor(() =>
      expect(hub.lastBody('/api/devices/bulk')).toEqual({
        action: 'delete',
        filter: 'site=north',
        account: ACCOUNT,
        at_most: 120,
      }),
    );
  });

  it('are what grants to manage allow, for members with one', async () => {
    open(undefined, person({ granted: ['view', 'manage'] }));
    const { user, dialog } = await choose('Update agent');
    await user.click(dialog.getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(hub.lastBody('/api/devices/bulk')).toEqual({ action: 'update', ids: ['d1', 'd2'] }));
    expect(screen.getByRole('link', { name: 'Bulk jobs' })).toBeInTheDocument();
    await user.click(screen.getByRole('checkbox', { name: 'Select Greenhouse' }));
    expect(screen.queryByRole('button', { name: 'Edit labels' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: /^Actions on/ }));
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    expect(items).toEqual(['Reboot', 'Update agent']);
  });

  it('are for people who may take them for one device', async () => {
    open(undefined, person({ permissions: ['devices.label'] as never }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole('checkbox', { name: 'Select Greenhouse' }));
    expect(screen.getByRole('button', { name: 'Edit labels' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Actions on/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Bulk jobs' })).not.toBeInTheDocument();
  });
});

it('starts with the devices that another page asks to select', async () => {
  const router = open('/jobs');
  await router.navigate(`/devices/${ACCOUNT}`, { state: { select: [{ id: 'd2', name: 'Pump' }] } });
  expect(await screen.findByText('1 selected')).toBeInTheDocument();
  expect(await screen.findByRole('checkbox', { name: 'Select Pump' })).toBeChecked();
});
