import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Quota } from '../../lib/api/types.ts';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { LimitsPage } from './LimitsPage.tsx';

const PATH = `/api/accounts/${ACCOUNT}/quotas`;

let hub: FakeHub;
let quotas: Quota[];
let refusal: object | undefined;

const quota = (change: Partial<Quota>): Quota => ({
  name: 'devices',
  limit: 100,
  used: 40,
  source: 'default',
  default: 100,
  ...change,
});

beforeEach(() => {
  quotas = [
    quota({}),
    quota({ name: 'users', limit: 10, used: 8, source: 'own', default: 1000 }),
    quota({ name: 'sessions', limit: 5, used: 5 }),
    quota({ name: 'sockets', limit: null, used: 3, default: null }),
    quota({ name: 'api_calls', used: null }),
    quota({ name: 'traffic', used: 12.345, limit: 500, default: null }),
  ];
  refusal = undefined;
  hub = new FakeHub().on(/quotas$/, (_url, { method }) => {
    if (method !== 'PATCH') return { body: { result: { quotas } } };
    return refusal ? { status: 400, body: refusal } : { body: { msg: 'done', result: { quotas } } };
  });
});

const owner = person({ group: { id: 'g', role: 'Owner' } as never });
const superAdmin = person({ account: 'another', operator: true, group: { id: 'g', role: 'SuperAdmin' } as never });
const open = (session: Session = owner) =>
  show(
    [
      {
        path: '/limits/:account_id',
        element: (
          <SessionContext value={session}>
            <LimitsPage />
          </SessionContext>
        ),
      },
    ],
    `/limits/${ACCOUNT}`,
  );
const row = async (name: string) => {
  const item = (await screen.findByRole('heading', { name })).closest('li');
  if (!item) throw new Error(`There is no row ${name}.`);
  return within(item);
};

it('shows how much of each limit is used, with a word where it is nearly full or full', async () => {
  open();
  const devices = await row('Devices');
  expect(devices.getByText('40 of 100')).toBeInTheDocument();
  expect(devices.queryByText('Nearly full')).not.toBeInTheDocument();
  const users = await row('Users');
  expect(users.getByText('Nearly full')).toBeInTheDocument();
  expect(users.getByText('Set for this account · default 1,000')).toBeInTheDocument();
  expect((await row('Sessions')).getByText('Full')).toBeInTheDocument();
  const sockets = await row('Open sockets');
  expect(sockets.getByText('3')).toBeInTheDocument();
  expect(sockets.getByText('Unlimited')).toBeInTheDocument();
  expect(sockets.queryByRole('progressbar')).not.toBeInTheDocument();
  expect((await row('Traffic')).getByText('12.3 of 500 GB')).toBeInTheDocument();
  expect((await row('API calls')).getByText('Not known now')).toBeInTheDocument();
});

it('is for an owner to read, not to change', async () => {
  open();
  expect(await screen.findByText('The operator of this hub can raise a limit.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /Change the limit/ })).not.toBeInTheDocument();
});

it('lets a SuperAdmin set a limit, and says what is wrong with one', async () => {
  open(superAdmin);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Change the limit of Devices' }));
  const devices = await row('Devices');
  await user.click(devices.getByRole('radio', { name: 'Own limit' }));
  const amount = devices.getByLabelText('Limit');
  const save = devices.getByRole('button', { name: 'Save limit' });
  await user.clear(amount);
  expect(devices.getByText('Enter a whole number from 0 to 1,000,000.')).toBeInTheDocument();
  expect(save).toBeDisabled();
  await user.type(amount, '20');
  expect(devices.getByText(/The account has 40 now/)).toBeInTheDocument();
  await user.click(save);
  await waitFor(() => expect(hub.lastBody(PATH)).toEqual({ devices: 20 }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save limit' })).not.toBeInTheDocument());
});

it('sets one back to the default, or to none', async () => {
  open(superAdmin);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Change the limit of Users' }));
  const users = await row('Users');
  await user.click(users.getByRole('radio', { name: 'Unlimited' }));
  await user.click(users.getByRole('button', { name: 'Save limit' }));
  await waitFor(() => expect(hub.lastBody(PATH)).toEqual({ users: 'unlimited' }));
  await user.click(await screen.findByRole('button', { name: 'Change the limit of Users' }));
  await user.click(users.getByRole('radio', { name: 'Default (1,000)' }));
  await user.click(users.getByRole('button', { name: 'Save limit' }));
  await waitFor(() => expect(hub.lastBody(PATH)).toEqual({ users: 'default' }));
});

it('shows why the hub refuses a limit', async () => {
  refusal = { statusCode: 400, code: 'invalid_argument', message: 'Invalid input (devices): expected less.' };
  open(superAdmin);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Change the limit of Devices' }));
  await user.click(screen.getByRole('button', { name: 'Save limit' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('expected less.');
});

it('says that the operator’s account has none', async () => {
  quotas = [];
  open(superAdmin);
  expect(await screen.findByRole('status')).toHaveTextContent('The operator’s account has no limits.');
});
