import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { UsersPage } from './UsersPage.tsx';

const invitation = {
  id: 'i1',
  user: 'guest@example.org',
  invitedAt: '2026-03-04T10:00:00.000Z',
  expires: '2126-03-04T10:00:00.000Z',
  account: { id: ACCOUNT, name: 'Northwind' },
  group: { id: 'g', name: 'Members', role: 'Member' },
  delivery: 'Sent',
  delivery_problem: '',
};

let hub: FakeHub;

beforeEach(() => {
  hub = new FakeHub()
    .on(/^\/api\/users$/, () => ({ body: { total: 0, users: [] } }))
    .on(/^\/api\/invitations$/, (url) => {
      const behind = url.searchParams.get('page') !== '1';
      return { body: { total: 1, invitations: behind ? [] : [invitation] } };
    });
});

const as = (role: string, operator = false) => person({ operator, group: { id: 'g', role } as never });

function open(session: Session, query = '') {
  const element = (
    <SessionContext value={session}>
      <UsersPage />
    </SessionContext>
  );
  return show([{ path: '/users/:account_id', element }], `/users/${ACCOUNT}${query}`);
}

describe('pending invitations', () => {
  it('link to their account with permission only', async () => {
    open(as('SuperAdmin', true));
    expect(await screen.findByRole('link', { name: 'Northwind' })).toHaveAttribute('href', `/accounts/${ACCOUNT}`);
  });

  it('only name it for other operator users, and nothing for people of the account', async () => {
    open(as('Owner', true));
    await screen.findByText('guest@example.org');
    expect(screen.getByText('Northwind')).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: 'Northwind' })).not.toBeInTheDocument();
  });

  it('show their last page where the one in the address is gone', async () => {
    const router = open(as('Owner'), '?invitations=2');
    await screen.findByText('guest@example.org');
    expect(router.state.location.search).toBe('');
    expect(hub.lastQuery('/api/invitations')).toMatchObject({ page: '1', limit: '10' });
  });
});
