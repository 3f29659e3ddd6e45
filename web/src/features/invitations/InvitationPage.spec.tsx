import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeHub } from '../../testing/fake-hub.ts';
import { person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { InvitationPage } from './InvitationPage.tsx';

const email = 'ada@example.org';
const waiting = (id: string, name: string) => ({
  email,
  account: { id, name },
  group: { id: `g-${id}`, name: 'Members', role: 'Member' },
  invited_by: 'Grace',
  name: '',
  expires: '2026-12-01T00:00:00Z',
});

/** Opens the page as the session guard does: signed in, without the link of the mail. */
function open(invitations: ReturnType<typeof waiting>[]) {
  const hub = new FakeHub()
    .on(/getsession$/, () => ({ body: person({ email, need_accept: 'Yes' }) }))
    .on(/^\/api\/my_invitations$/, () => ({ body: { total: invitations.length, invitations } }))
    .on(/^\/api\/accept_invitation$/, () => ({ body: { msg: 'done', user: 'u1', account: 'a2' } }));
  const routes = [
    { path: '/accept_invitation', element: <InvitationPage /> },
    { path: '/', element: <p>home</p> },
  ];
  show(routes, `/accept_invitation?email=${encodeURIComponent(email)}&account=a1&token=`);
  return hub;
}

describe('an invitation without the link of its mail', () => {
  it('is accepted by the signed-in person whom it is for, the chosen one of several', async () => {
    const hub = open([waiting('a1', 'Meadow'), waiting('a2', 'Harbour')]);
    expect(await screen.findByText('Join Meadow')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Accept invitation to Harbour' }));
    await waitFor(() => expect(screen.getByText('home')).toBeInTheDocument());
    expect(hub.lastBody('/api/accept_invitation')).toEqual({ email, account: 'a2', token: '' });
  });

  it('tells that none waits any more', async () => {
    open([]);
    expect(await screen.findByText(/No invitation waits for ada@example.org/)).toBeInTheDocument();
  });
});
