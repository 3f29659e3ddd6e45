import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { BulkJobDetail } from '../../lib/api/types.ts';
import { SessionContext } from '../../lib/session.ts';
import { trackedJobs } from '../../lib/tracked-jobs.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { BulkJobsPage } from './BulkJobsPage.tsx';
import { BulkProgress } from './BulkProgress.tsx';

const JOB = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
let hub: FakeHub;
let job: BulkJobDetail;

beforeEach(() => {
  job = {
    id: JOB,
    action: 'reboot',
    state: 'running',
    filter: 'site=north',
    filter_account: 'Meadow Farms',
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
    .on(/^\/api\/devices\/bulk$/, () => ({ body: { jobs: [job] } }))
    .on(/^\/api\/devices\/bulk\/[^/]+$/, () => ({ body: job }))
    .on(/^\/api\/devices\/bulk\/[^/]+\/cancel$/, () => {
      job = { ...job, state: 'cancelled', counts: { ...job.counts, waiting: 0, cancelled: 1 } };
      return { body: job };
    });
});

const admin = person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } as never });

const open = (address: string, session = admin) =>
  show(
    [
      {
        path: '/jobs',
        element: (
          <SessionContext value={session}>
            <BulkJobsPage />
          </SessionContext>
        ),
      },
      { path: '/devices', element: <p>The list</p> },
      { path: '/', element: <BulkProgress ids={trackedJobs.ids()} /> },
    ],
    address,
  );

it('shows the progress of jobs on every page, until they are dismissed', async () => {
  trackedJobs.add(JOB);
  open('/');
  const notice = within(await screen.findByRole('region', { name: 'Bulk job progress' }));
  expect(await notice.findByText('0 done, 1 failed, 1 waiting')).toBeInTheDocument();
  expect(notice.queryByRole('button')).not.toBeInTheDocument();
  job = { ...job, state: 'done', counts: { ...job.counts, waiting: 0, done: 1 } };
  const user = userEvent.setup();
  await user.click(await notice.findByRole('button', { name: 'Dismiss Reboot' }, { timeout: 5_000 }));
  expect(trackedJobs.ids()).toEqual([]);
});

it('forgets a job that is no longer kept', async () => {
  hub.on(/^\/api\/devices\/bulk\/[^/]+$/, () => ({
    status: 404,
    body: { statusCode: 404, code: 'not_found', message: 'Not found: job.' },
  }));
  trackedJobs.add(JOB);
  open('/');
  await waitFor(() => expect(trackedJobs.ids()).toEqual([]));
});

describe('the page of bulk jobs', () => {
  it('names the failures by reason, and selects their devices in the list', async () => {
    const router = open('/jobs');
    const user = userEvent.setup();
    const outcome = within(await screen.findByRole('region', { name: 'Reboot · 2 devices' }));
    expect(outcome.getByText('The device is not connected.')).toBeInTheDocument();
    expect(outcome.getByRole('link', { name: 'Pump' })).toHaveAttribute('href', '/devices?device=d2');
    expect(outcome.getByText(/Filter site=north in Meadow Farms/)).toBeInTheDocument();
    await user.click(outcome.getByRole('button', { name: 'Select the failed device' }));
    expect(router.state.location).toMatchObject({
      pathname: '/devices',
      state: { select: [{ id: 'd2', name: 'Pump' }] },
    });
  });

  it('lead members to the list of their account', async () => {
    open('/jobs', person({ granted: ['view', 'manage'] }));
    const link = await screen.findByRole('link', { name: 'Pump' });
    expect(link).toHaveAttribute('href', `/devices/${ACCOUNT}?device=d2`);
  });

  it('cancels a job', async () => {
    open(`/jobs?job=${JOB}`);
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Cancel job' }));
    expect(hub.sent).toContain(`POST /api/devices/bulk/${JOB}/cancel`);
    expect(await screen.findByText('Cancelled: 0 done, 1 failed, 1 not started')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Cancel job' })).not.toBeInTheDocument();
  });
});
