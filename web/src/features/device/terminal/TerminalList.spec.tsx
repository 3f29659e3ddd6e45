import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { show } from '../../../testing/render.tsx';
import { TerminalList } from './TerminalList.tsx';
import type { TerminalControl } from './useTerminal.ts';

const time = new Date(Date.now() - 300_000).toISOString();
const one = (session: string, attached: 'Yes' | 'No', command: string) => ({
  session,
  attached,
  command,
  cols: 80,
  rows: 24,
  started_at: time,
  used_at: time,
});

let hub: FakeHub;
let listed: object[];

beforeEach(() => {
  listed = [one('s1', 'Yes', 'vim'), one('s2', 'Yes', 'top'), one('s3', 'No', '')];
  hub = new FakeHub().on(/\/terminals/, (url, request) => {
    if (request.method === 'DELETE') listed = listed.filter((row) => !url.pathname.endsWith(Object.values(row)[0]));
    return { body: request.method === 'DELETE' ? { msg: 'done' } : { terminals: listed } };
  });
});

function open() {
  const shown = jest.fn();
  const closed = jest.fn();
  const terminal = { session: 's1', show: shown } as unknown as TerminalControl;
  const element = <TerminalList device="d1" terminal={terminal} onClose={closed} />;
  show([{ path: '/', element }], '/');
  return { shown, closed, user: userEvent.setup() };
}

describe('the list of own terminals', () => {
  it('says where each one is, and leads to the others', async () => {
    const { shown, closed, user } = open();
    const own = await screen.findByRole('listitem', { name: 'vim' });
    expect(own).toHaveTextContent('In this window');
    expect(within(own).queryByRole('button', { name: /Return|Take over/ })).not.toBeInTheDocument();
    expect(screen.getByRole('listitem', { name: 'Shell' })).toHaveTextContent('Detached');
    const other = screen.getByRole('listitem', { name: 'top' });
    expect(other).toHaveTextContent('Open in another window');
    await user.click(within(other).getByRole('button', { name: 'Take over' }));
    expect([shown.mock.calls, closed.mock.calls.length]).toEqual([[['s2', true]], 1]);
    await user.click(within(other).getByRole('button', { name: 'Open here too' }));
    expect(shown).toHaveBeenLastCalledWith('s2', false);
    await user.click(screen.getByRole('button', { name: 'New terminal' }));
    expect(shown).toHaveBeenLastCalledWith(null, false);
  });

  it('ends one after asking once more', async () => {
    const { user } = open();
    const row = await screen.findByRole('listitem', { name: 'top' });
    await user.click(within(row).getByRole('button', { name: 'End' }));
    await user.click(within(row).getByRole('button', { name: 'Keep' }));
    expect(hub.sent.filter((call) => call.startsWith('DELETE'))).toEqual([]);
    await user.click(within(row).getByRole('button', { name: 'End' }));
    await user.click(within(row).getByRole('button', { name: 'End terminal' }));
    await waitFor(() => expect(screen.queryByRole('listitem', { name: 'top' })).not.toBeInTheDocument());
    expect(hub.sent).toContain('DELETE /api/devices/d1/terminals/s2');
  });
});
