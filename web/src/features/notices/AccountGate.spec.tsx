import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AccountGate } from './AccountGate.tsx';

function open(account: string, status: number) {
  new FakeHub().on(/^\/api\/accounts\//, () => ({
    status,
    body: status === 200 ? { result: { id: account, name: 'Acorn' } } : { statusCode: status, message: 'id: no' },
  }));
  const element = (
    <SessionContext value={person({ operator: true })}>
      <AccountGate>
        <p>screen</p>
      </AccountGate>
    </SessionContext>
  );
  show([{ path: '/devices/:account_id', element }], `/devices/${account}`);
}

it.each([400, 403, 404])('says that the account does not exist, on %s', async (status) => {
  open('garbage', status);
  expect(await screen.findByRole('heading', { name: 'There is no such account.' })).toBeInTheDocument();
  expect(document.body).not.toHaveTextContent('garbage');
  expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to Home' })).toHaveAttribute('href', '/');
});

it.each([
  ['another', 200],
  [ACCOUNT, 404],
  ['ALL', 404],
  ['another', 503],
])('shows the screen of %s (%s)', async (account, status) => {
  open(account, status);
  expect(await screen.findByText('screen')).toBeInTheDocument();
});
