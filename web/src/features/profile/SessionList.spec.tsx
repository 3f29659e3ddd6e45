import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { leave } from '../../lib/leave.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { show } from '../../testing/render.tsx';
import { SessionList } from './SessionList.tsx';

const started_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
const used_at = new Date(Date.now() - 120_000).toISOString();
const one = (id: string, current: 'Yes' | 'No', browser: string, address: string) => ({
  id,
  current,
  browser,
  address,
  started_at,
  used_at,
});

let hub: FakeHub;
let sessions: { id: string }[];
const left = jest.spyOn(leave, 'to').mockImplementation(() => undefined);

beforeEach(() => {
  sessions = [one('a', 'Yes', 'Firefox on Linux', '192.0.2.7'), one('b', 'No', 'Chrome on Windows', '192.0.2.8')];
  sessions.push(one('c', 'No', '', ''));
  hub = new FakeHub().on(/^\/api\/sessions/, (url, { method }) => {
    if (method === 'GET') return { body: { sessions } };
    sessions = sessions.filter(({ id }) => !url.pathname.endsWith(`/${id}`));
    return { body: { msg: 'done' } };
  });
  show([{ path: '/', element: <SessionList /> }], '/');
});
afterEach(() => void left.mockClear());

describe('the list of own sessions', () => {
  it('says which one is here, where each came from and when it was used', async () => {
    const here = await screen.findByRole('listitem', { name: 'Firefox on Linux' });
    expect(here).toHaveTextContent('This browser');
    expect(here).toHaveTextContent('192.0.2.7 · signed in 3 days ago · last used 2 minutes ago');
    expect(within(here).getByRole('link', { name: 'Sign out' })).toHaveAttribute('href', '/auth/saml/logout');
    const other = screen.getByRole('listitem', { name: 'Chrome on Windows' });
    expect(other).not.toHaveTextContent('This browser');
    expect(screen.getByRole('listitem', { name: 'Unknown browser' })).toHaveTextContent('signed in 3 days ago');
  });

  it('signs out of another browser, which then is gone from the list', async () => {
    const other = await screen.findByRole('listitem', { name: 'Chrome on Windows' });
    await userEvent.setup().click(within(other).getByRole('button', { name: 'Sign out of Chrome on Windows' }));
    await waitFor(() => expect(screen.queryByRole('listitem', { name: 'Chrome on Windows' })).not.toBeInTheDocument());
    expect(hub.sent).toContain('DELETE /api/sessions/b');
  });

  it('signs out everywhere after asking, here last', async () => {
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
    const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere' });
    expect(dialog).toHaveTextContent('You are signed in to 3 browsers.');
    expect(hub.sent).not.toContain('DELETE /api/sessions');
    await user.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
    await waitFor(() => expect(left).toHaveBeenCalledWith('/auth/saml/logout'));
    expect(hub.sent).toContain('DELETE /api/sessions');
  });
});
