import { beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AccessPage } from './AccessPage.tsx';
import { lossText } from './loss-text.ts';

const owner = person({ group: { id: 'g', role: 'Owner' } } as never);
const none = { view: 0, terminal: 0, desktop: 0, web: 0, manage: 0 };
const DEVICES = 40;

type Loses = typeof none;
const loser = (id: string, name: string, loses: Loses) => ({
  id,
  name,
  email: `${id}@example.org`,
  role: 'Member',
  group: 'Members',
  devices: DEVICES - loses.view,
  keeps: none,
  loses,
});
const ann = { ...none, view: 28, terminal: 28, desktop: DEVICES, web: DEVICES };
const few = { ...none, terminal: 12 };

let hub: FakeHub;
let mode: 'default' | 'explicit';
let pages: object[][];
let totals: { all: number; members: number; service_accounts: number; permissions: Loses };
let programs: object[];

beforeEach(() => {
  mode = 'default';
  pages = [[loser('a', 'Ann Lee', ann), loser('b', '', few)], [loser('c', 'Cy', none)]];
  totals = { all: 3, members: 2, service_accounts: 1, permissions: { ...none, view: 2, terminal: 3 } };
  programs = [
    { id: 's1', name: 'CI runner', role: 'Member', devices: 0, keeps: none, loses: { ...none, view: DEVICES } },
  ];
  hub = new FakeHub()
    .on(/\/access\/preview$/, (url) => {
      const members = pages[Number(url.searchParams.get('page') ?? 1) - 1] ?? [];
      return {
        body: { devices: DEVICES, total: pages.flat().length, losing: totals, members, service_accounts: programs },
      };
    })
    .on(/\/access$/, (_url, request) => {
      if (request.method === 'PUT') mode = mode === 'default' ? 'explicit' : 'default';
      return { body: request.method === 'PUT' ? { msg: 'done' } : { mode, switchable: true } };
    })
    .on(/\/access\/rules$/, () => ({ status: 404, body: { message: 'Not found.' } }))
    .on(/\/grants$/, () => ({ body: { grants: [] } }));
});

async function openDialog() {
  const element = (
    <SessionContext value={owner}>
      <AccessPage />
    </SessionContext>
  );
  show([{ path: '/access/:account_id', element }], `/access/${ACCOUNT}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Use explicit grants only' }));
  return within(await screen.findByRole('dialog', { name: 'Use explicit grants only' }));
}

it('switches to explicit grants after a look at who loses what, for each permission', async () => {
  const dialog = await openDialog();
  expect(await dialog.findByText('2 of 3 members and 1 of 1 service accounts lose access.')).toBeInTheDocument();
  expect(dialog.getByText('By permission: view 2, terminal 3.')).toBeInTheDocument();
  const rows = within(dialog.getByRole('list', { name: 'Members' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Ann LeeLoses view, terminal on 28 of 40 devices; desktop, web on 40Still views 12 of 40 devices',
    'b@example.orgLoses terminal on 12 of 40 devicesStill views 40 of 40 devices',
  ]);
  const [runner] = within(dialog.getByRole('list', { name: 'Service accounts' })).getAllByRole('listitem');
  expect(runner).toHaveTextContent('CI runnerLoses view on 40 of 40 devicesStill views 0 of 40 devices');
  await userEvent.click(dialog.getByRole('button', { name: 'Switch to explicit grants' }));
  expect(await screen.findByText('Explicit grants only')).toBeInTheDocument();
  expect(hub.lastBody(`/api/accounts/${ACCOUNT}/access`)).toEqual({ mode: 'explicit' });
});

it('shows more members on demand, below those before', async () => {
  const dialog = await openDialog();
  const more = await dialog.findByRole('button', { name: 'Show more (2 of 3)' });
  expect(dialog.queryByText('Cy')).not.toBeInTheDocument();
  await userEvent.click(more);
  expect(await dialog.findByText('Cy')).toBeInTheDocument();
  const rows = within(dialog.getByRole('list', { name: 'Members' })).getAllByRole('listitem');
  expect(rows).toHaveLength(3);
  expect(rows.at(-1)).toHaveTextContent('Loses nothing');
  expect(dialog.queryByRole('button', { name: /^Show more/ })).not.toBeInTheDocument();
});

it('says so if nobody loses anything, and if the account has no members', async () => {
  totals = { all: 1, members: 0, service_accounts: 0, permissions: none };
  pages = [[loser('c', 'Cy', none)]];
  programs = [];
  const dialog = await openDialog();
  expect(await dialog.findByText('Nobody loses access.')).toBeInTheDocument();
  expect(dialog.queryByText(/^By permission/)).not.toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  pages = [];
  await userEvent.click(await screen.findByRole('button', { name: 'Use explicit grants only' }));
  expect(await screen.findByText('The account has no members, so nobody loses anything.')).toBeInTheDocument();
});

it('can’t be confirmed without the preview', async () => {
  hub.on(/\/access\/preview$/, () => ({ status: 503, body: { message: 'Unavailable.' } }));
  const dialog = await openDialog();
  expect(await dialog.findByText('What members would lose could not be found out.')).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Switch to explicit grants' })).toBeDisabled();
});

it.each<[Partial<Loses>, number, string]>([
  [{}, 40, 'Loses nothing'],
  [{ view: 1 }, 1, 'Loses view on 1 of 1 device'],
  [{ manage: 3, terminal: 1_200 }, 10_000, 'Loses terminal on 1,200 of 10,000 devices; manage on 3'],
])('puts %o of %d devices into words', (loses, devices, sentence) => {
  expect(lossText({ ...none, ...loses }, devices)).toBe(sentence);
});
