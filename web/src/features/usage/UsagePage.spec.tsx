import { beforeEach, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { UsagePage } from './UsagePage.tsx';

const NOTHING = { seconds: 0, opened: 0, bytes_to_device: 0, bytes_from_device: 0 };
const PATH = `/api/accounts/${ACCOUNT}/usage`;
const usage = [
  {
    start: '2026-02-03T00:00:00.000Z',
    terminal: { seconds: 5_400, opened: 3, bytes_to_device: 512, bytes_from_device: 1_572_864 },
    desktop: NOTHING,
    web: { ...NOTHING, opened: 1_200 },
    devices: { seconds: 172_800, connections: 2 },
  },
];

let hub: FakeHub;
beforeEach(() => {
  hub = new FakeHub().on(/usage$/, () => ({ body: { usage } }));
});

const open = (session: ReturnType<typeof person>, account = ACCOUNT) =>
  show(
    [
      {
        path: '/usage/:account_id',
        element: (
          <SessionContext value={session}>
            <UsagePage />
          </SessionContext>
        ),
      },
    ],
    `/usage/${account}?month=2026-02`,
  );
const owner = person({ group: { id: 'g', role: 'Owner' } as never });

it('shows totals, charts and a row for each day of the month in the address', async () => {
  open(owner);
  const table = await screen.findByRole('table', { name: 'Usage by day' });
  expect(await within(table).findByRole('cell', { name: '1 h 30 min' })).toBeInTheDocument();
  expect(within(table).getAllByRole('row')).toHaveLength(29);
  expect(hub.lastQuery(PATH)).toEqual({ from: '2026-02-01', to: '2026-03-01', step: 'day' });
  expect(screen.getByText('3 opened')).toBeInTheDocument();
  expect(screen.getByText('48 device-hours')).toBeInTheDocument();
  expect(screen.getByRole('img', { name: 'Data per day in MiB: 1.5 at most, 1.5 in the month.' })).toBeInTheDocument();
  expect(screen.getByRole('img', { name: /^Session time per day in hours: 1.5 at most/ })).toBeInTheDocument();
});

it('goes to another month by its picker', async () => {
  open(owner);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Previous month' }));
  await screen.findByDisplayValue('January 2026');
  expect(hub.lastQuery(PATH)).toMatchObject({ from: '2026-01-01', to: '2026-02-01' });
});

it('offers the export of all accounts for billing, and requests nothing without permission', async () => {
  open(owner);
  await screen.findByRole('table');
  expect(screen.queryByRole('link', { name: 'Export all accounts' })).not.toBeInTheDocument();
  cleanup();
  open(person({ operator: true, account: 'another', group: { id: 'g', role: 'SuperAdmin' } as never }));
  expect(await screen.findByRole('link', { name: 'Export all accounts' })).toHaveAttribute(
    'href',
    '/api/usage/export?month=2026-02',
  );
});
