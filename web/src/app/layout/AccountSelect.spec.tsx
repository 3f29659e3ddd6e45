import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
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

it('shows ALL again when the account that was remembered is not there any more', async () => {
  remember(keys.client, 'deleted');
  const select = await open('/', '/');
  await waitFor(() => expect(select).toHaveValue('ALL'));
  expect(recall(keys.client)).toBeNull();
});
