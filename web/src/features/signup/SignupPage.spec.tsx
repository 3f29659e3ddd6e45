import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { leave } from '../../lib/leave.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { show } from '../../testing/render.tsx';
import { SignupPage } from './SignupPage.tsx';

const address = '/signup-user?email=ada%40example.org&account=a1&token=t1';

function open(answer: { status?: number; body: unknown }) {
  const hub = new FakeHub().on(/^\/api\/signup$/, () => answer);
  show([{ path: '/signup-user', element: <SignupPage /> }], address);
  return hub;
}

afterEach(() => void jest.restoreAllMocks());

describe('sign-up', () => {
  it('asks for a name and the agreement before it sends anything', async () => {
    const hub = open({ body: { msg: 'done' } });
    await userEvent.click(await screen.findByRole('button', { name: 'Continue to sign-in' }));
    expect(screen.getByText('The name is required')).toBeInTheDocument();
    expect(screen.getByText('Your agreement is required')).toBeInTheDocument();
    expect(hub.sent).not.toContain('POST /api/signup');
  });

  it('sends the link with the name, and continues with the sign-in that leads back to the invitation', async () => {
    const to = jest.spyOn(leave, 'to').mockImplementation(() => undefined);
    const hub = open({ body: { msg: 'done' } });
    await userEvent.type(await screen.findByLabelText(/^Name/), '  Ada Brown ');
    await userEvent.click(screen.getByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Continue to sign-in' }));
    await waitFor(() => expect(to).toHaveBeenCalled());
    const link = { email: 'ada@example.org', account: 'a1', token: 't1' };
    expect(hub.lastBody('/api/signup')).toEqual({ ...link, name: 'Ada Brown' });
    expect(decodeURIComponent(to.mock.calls[0]?.[0] ?? '')).toContain('/accept_invitation?');
  });

  it('tells what the hub has against it', async () => {
    open({ status: 404, body: { statusCode: 404, code: 'not_found', message: 'Not found: the link is used.' } });
    await userEvent.type(await screen.findByLabelText(/^Name/), 'Ada');
    await userEvent.click(screen.getByRole('checkbox'));
    await userEvent.click(screen.getByRole('button', { name: 'Continue to sign-in' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('the link is used.');
  });
});
