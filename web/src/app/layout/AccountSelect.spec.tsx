import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { keys, recall, remember } from '../../lib/storage.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AccountSelect } from './AccountSelect.tsx';

const account = (id: string, name: string) => ({ id, name, status: 'Active', owner: null, operator: false });
const session = person({ operator: true, group: { id: 'g', role: 'SuperAdmin' } as never });

beforeEach(() => {
  new FakeHub()
    .on(/^\/api\/accounts$/, () => ({ body: { total: 900, accounts: [account('a1', 'Acorn')] } }))
    .on(/^\/api\/accounts\/a900$/, () => ({ body: { result: account('a900', 'Zinnia') } }));
});

function open(address: string, path: string) {
  const element = (
    <SessionContext value={session}>
      <AccountSelect />
    </SessionContext>
  );
  show([{ path, element }], address);
  return screen.findByRole('combobox', { name: 'Account' });
}

it('names the chosen account, however many there are before it', async () => {
  const select = await open('/devices/a900', '/devices/:account_id');
  await waitFor(() => expect(select).toHaveValue('Zinnia'));
  expect(recall(keys.client)).toBe('a900');
});

it.each([
  ['garbage', 400],
  ['unknown', 404],
  ['foreign', 403],
])('never remembers an account of the address that the hub refuses: %s', async (id, status) => {
  const hub = new FakeHub()
    .on(/^\/api\/accounts$/, () => ({ body: { total: 1, accounts: [account('a1', 'Acorn')] } }))
    .on(/^\/api\/accounts\/./, () => ({ status, body: { statusCode: status, code: 'x', message: 'x: no' } }));
  const select = await open(`/devices/${id}`, '/devices/:account_id');
  await waitFor(() => expect(hub.sent).toContain(`GET /api/accounts/${id}`));
  await waitFor(() => expect(select).toHaveValue('ALL'));
  expect(recall(keys.client)).toBeNull();
});

it.each([400, 403, 404])('forgets a remembered account that the hub refuses with %s', async (status) => {
  new FakeHub()
    .on(/^\/api\/accounts$/, () => ({ body: { total: 1, accounts: [account('a1', 'Acorn')] } }))
    .on(/^\/api\/accounts\/./, () => ({ status, body: { statusCode: status, code: 'x', message: 'x: no' } }));
  remember(keys.client, 'garbage');
  const select = await open('/', '/');
  await waitFor(() => expect(select).toHaveValue('ALL'));
  expect(recall(keys.client)).toBeNull();
});

it('shows ALL again when the account that was remembered is not there any more', async () => {
  remember(keys.client, 'deleted');
  const select = await open('/', '/');
  await waitFor(() => expect(select).toHaveValue('ALL'));
  expect(recall(keys.client)).toBeNull();
});

it('loads the accounts when the field gets the focus, and keeps the focus there', async () => {
  const hub = new FakeHub()
    .on(/^\/api\/accounts$/, () => ({ body: { total: 1, accounts: [account('a1', 'Acorn')] } }))
    .on(/^\/api\/accounts\/a1$/, () => ({ body: { result: account('a1', 'Acorn') } }));
  await open('/', '/');
  expect(hub.sent.filter((sent) => sent.startsWith('GET /api/accounts'))).toEqual([]);
  const user = userEvent.setup();
  await user.tab();
  await user.click(await screen.findByRole('option', { name: 'Acorn' }));
  const select = screen.getByRole('combobox', { name: 'Account' });
  await waitFor(() => expect(select).toHaveValue('Acorn'));
  expect(select).toHaveFocus();
  expect(recall(keys.client)).toBe('a1');
});
