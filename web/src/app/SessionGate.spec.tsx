import { describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Outlet } from 'react-router';
import { useSession } from '../lib/session.ts';
import type { Session } from '../lib/session.ts';
import { keys } from '../lib/storage.ts';
import { FakeHub } from '../testing/fake-hub.ts';
import { ACCOUNT, person } from '../testing/people.ts';
import { show } from '../testing/render.tsx';
import { api } from '../lib/api/api.ts';
import { leave } from '../lib/leave.ts';
import { DialogForm } from '../ui/DialogForm.tsx';
import { Permit } from './Permit.tsx';
import { SessionGate } from './SessionGate.tsx';

const Inside = () => <p>inside as {useSession().name}</p>;

const routes = [
  {
    element: <SessionGate />,
    children: [
      { path: '/', element: <Inside /> },
      {
        element: <Permit />,
        children: [{ path: '/devices/:account_id', element: <p>devices</p> }],
      },
      { element: <Permit screen="allDevices" />, children: [{ path: '/devices', element: <p>all devices</p> }] },
    ],
  },
  {
    element: (
      <>
        <p>notice</p>
        <Outlet />
      </>
    ),
    children: [{ path: '/account_issue' }, { path: '/account_disable' }, { path: '/accept_invitation' }],
  },
];

function enter(session: Session | null, address = '/') {
  new FakeHub().on(/getsession$/, () =>
    session ? { body: session } : { status: 401, body: { statusCode: 401, code: 'unauthenticated', message: 'x: y' } },
  );
  return show(routes, address);
}

describe('the session gate', () => {
  it('shows the screen to an active member', async () => {
    enter(person());
    expect(await screen.findByText('inside as Ada Brown')).toBeInTheDocument();
  });

  it.each([
    [person({ need_accept: 'Yes', invitation_account: 'acc', accept_token: 'tok' }), '/accept_invitation'],
    [person({ group: { id: '', role: '' } }), '/account_issue'],
    [person({ status: 'Inactive' }), '/account_disable'],
  ])('sends others to their notice', async (session, path) => {
    const router = enter(session);
    await screen.findByText('notice');
    expect(router.state.location.pathname).toBe(path);
  });

  it('sends to sign-in without a session, and forgets the chosen account', async () => {
    const replace = jest.spyOn(leave, 'to').mockImplementation(() => undefined);
    localStorage.setItem(keys.client, 'acc');
    enter(null, `/devices/${ACCOUNT}?page=2`);
    await waitFor(() => expect(replace).toHaveBeenCalled());
    expect(replace.mock.calls[0]).toEqual([
      `/auth/saml/login?RelayState=${encodeURIComponent(`/devices/${ACCOUNT}?page=2`)}`,
    ]);
    expect(localStorage.getItem(keys.client)).toBeNull();
    expect(screen.queryByText('devices')).not.toBeInTheDocument();
    replace.mockRestore();
  });

  it('does not go to sign-in by itself when a session ends that was there', async () => {
    const replace = jest.spyOn(leave, 'to').mockImplementation(() => undefined);
    let signedIn = true;
    const ended = { status: 401, body: { statusCode: 401, code: 'unauthenticated', message: 'x: y' } };
    new FakeHub().on(/getsession$/, () => (signedIn ? { body: person() } : ended)).on(/^\/api\/home$/, () => ended);
    const Asking = () => {
      const [ask] = api.useLazyGetHomeQuery();
      return <button onClick={() => void ask({})}>Ask</button>;
    };
    show([{ element: <SessionGate />, children: [{ path: '/', element: <Asking /> }] }], '/');
    const button = await screen.findByRole('button', { name: 'Ask' });
    signedIn = false;
    button.click();
    expect(await screen.findByText('Your session has ended.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/auth/saml/login?RelayState=%2F');
    expect(replace).not.toHaveBeenCalled();
    replace.mockRestore();
  });

  it.each(['/devices/01997b5c-2f4e-7d3a-9c51-0000000000ff', '/devices/ALL', '/devices'])(
    'sends people outside the operator account home from %s',
    async (path) => {
      const router = enter(person({ group: { id: 'g', role: 'Owner' } as never }), path);
      await screen.findByText('inside as Ada Brown');
      expect(router.state.location.pathname).toBe('/');
    },
  );

  it('tells an active person at the address of a notice that nothing is wrong', async () => {
    new FakeHub().on(/getsession$/, () => ({ body: person() }));
    show(
      [{ element: <SessionGate strict={false} />, children: [{ path: '/account_disable', element: <p>notice</p> }] }],
      '/account_disable',
    );
    expect(await screen.findByText('Your account is active')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'HOME' })).toHaveAttribute('href', '/');
    expect(screen.queryByText('notice')).not.toBeInTheDocument();
  });

  it('lets operator users see every account', async () => {
    enter(person({ operator: true }), '/devices');
    expect(await screen.findByText('all devices')).toBeInTheDocument();
  });

  it('keeps the page of a session that has ended while something typed stands there, until there is one again', async () => {
    const replace = jest.spyOn(leave, 'to').mockImplementation(() => undefined);
    let signedIn = true;
    new FakeHub()
      .on(/getsession$/, () => (signedIn ? { body: person() } : { status: 401, body: { code: 'unauthenticated' } }))
      .on(/^\/api\/users$/, () => ({ status: 401, body: { code: 'unauthenticated' } }));
    const Asking = () => {
      const [ask] = api.useLazyListUsersQuery();
      return (
        <DialogForm
          confirm="Save"
          busy={false}
          onConfirm={() => void ask({ page: 1, limit: 1, account: ACCOUNT })}
          onCancel={() => undefined}
        >
          <input aria-label="Name" />
        </DialogForm>
      );
    };
    show([{ element: <SessionGate />, children: [{ path: '/', element: <Asking /> }] }], '/');
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await userEvent.type(name, 'Acme');
    signedIn = false;
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const [link] = await screen.findAllByRole('link', { name: 'Sign in' });
    expect(link).toHaveAttribute('target', '_blank');
    expect(name).toHaveValue('Acme');
    expect(replace).not.toHaveBeenCalled();
    signedIn = true;
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign in' })).not.toBeInTheDocument(), {
      timeout: 10_000,
    });
    expect(screen.getByRole('textbox', { name: 'Name' })).toBe(name);
    expect(name).toHaveValue('Acme');
    replace.mockRestore();
  });

  it('waits for a hub that does not answer, and continues when it does', async () => {
    let up = false;
    new FakeHub().on(/getsession$/, () => (up ? { body: person() } : { status: 503, body: {} }));
    show(routes, '/');
    (await screen.findByRole('button', { name: 'Try again' })).click();
    up = true;
    (await screen.findByRole('button', { name: 'Try again' })).click();
    expect(await screen.findByText('inside as Ada Brown')).toBeInTheDocument();
  });
});
