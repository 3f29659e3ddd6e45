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
  name: '',
  pin_days: 0,
  unpinnable: null as string | null,
  ends_in: attached === 'Yes' ? null : 540,
  memory: { bytes: 32_768, limit: 4_194_304 },
});
type Row = ReturnType<typeof one>;

let hub: FakeHub;
let listed: Row[];
let observable: object[];
let capacity: object | null;
let refusal: { status: number; body: object } | undefined;

beforeEach(() => {
  listed = [one('s1', 'Yes', 'vim'), one('s2', 'Yes', 'top'), one('s3', 'No', '')];
  capacity = { terminals: 32, pinned: 8, memory: 134_217_728, pin_days: 7 };
  observable = [];
  refusal = undefined;
  hub = new FakeHub().on(/\/terminals/, (url, request) => {
    const named = (row: Row) => url.pathname.endsWith(row.session);
    if (request.method === 'DELETE') listed = listed.filter((row) => !named(row));
    if (request.method === 'PATCH') {
      if (refusal) return refusal;
      const change = hub.lastBody(url.pathname) as Partial<Row>;
      listed = listed.map((row) => (named(row) ? { ...row, ...change } : row));
      return { body: { msg: 'done', result: listed.find(named) } };
    }
    return { body: request.method === 'DELETE' ? { msg: 'done' } : { terminals: listed, observable, capacity } };
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

  it('leads to the terminals of others that the account lets one observe', async () => {
    observable = [{ owner: 'ada@acme.example', terminal: { ...one('s9', 'Yes', 'make'), name: 'nightly build' } }];
    open();
    const section = await screen.findByRole('region', { name: 'Terminals of others' });
    const row = within(section).getByRole('listitem', { name: 'nightly build of ada@acme.example' });
    const link = within(row).getByRole('link', { name: 'Observe' });
    expect(link).toHaveAttribute('href', expect.stringMatching(/\/device\/ssh\/d1\?session=s9$/));
    expect(link).toHaveAttribute('target', '_blank');
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

  it('renames one in place: Enter saves, Escape leaves', async () => {
    const { user, closed } = open();
    await user.click(await screen.findByRole('button', { name: 'Rename top' }));
    const field = screen.getByRole('textbox', { name: 'Name of the terminal' });
    expect(field).toHaveFocus();
    await user.type(field, 'never{Escape}');
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(closed).not.toHaveBeenCalled();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Rename top' })).toHaveFocus());
    await user.keyboard('{Enter}');
    await user.type(screen.getByRole('textbox'), ' nightly build {Enter}');
    const row = await screen.findByRole('listitem', { name: 'nightly build' });
    expect(row).toHaveTextContent('nightly build top');
    expect(hub.sent.filter((call) => call.startsWith('PATCH'))).toEqual(['PATCH /api/devices/d1/terminals/s2']);
  });

  it('says beside the field why a name is not taken', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Rename top' }));
    const field = screen.getByRole('textbox');
    await user.click(field);
    await user.paste('x'.repeat(65));
    await user.keyboard('{Enter}');
    expect(screen.getByText('At most 64 characters.')).toBeInTheDocument();
    refusal = { status: 409, body: { code: 'failed_precondition', message: 'Terminals refused: rpi-1 says: no room' } };
    await user.clear(field);
    await user.type(field, 'build{Enter}');
    expect(await screen.findByText(/rpi-1 says: no room/)).toBeInTheDocument();
    expect(screen.getByRole('textbox')).toHaveValue('build');
  });

  it('pins one for as long as the account allows, and unpins it', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Pin Shell' }));
    const row = screen.getByRole('listitem', { name: 'Shell' });
    await waitFor(() => expect(row).toHaveTextContent('Kept while detached for 7 days, ends in 9 min'));
    await user.click(screen.getByRole('button', { name: 'Unpin Shell' }));
    await waitFor(() => expect(row).not.toHaveTextContent('Kept while detached'));
    expect(row).toHaveTextContent('Detached, ends in 9 min');
    const memory =
      'Your terminals use 96.0 KiB of memory. Each can use 4.0 MiB; all 32 that the device allows, 128 MiB.';
    expect(screen.getByText(memory)).toBeInTheDocument();
  });

  it.each([
    ['the account allows none', () => (capacity = { ...capacity, pin_days: 0 }), 'allows no pins.'],
    ['nobody knows', () => (capacity = { ...capacity, pin_days: null }), 'is not known at the moment.'],
    ['the terminal can not', () => (listed[1] = { ...listed[1]!, unpinnable: 'it is old' }), 'it is old'],
  ])('says why it can not be pinned: %s', async (_what, set, why) => {
    set();
    const { user } = open();
    const pin = await screen.findByRole('button', { name: 'Pin top' });
    expect(pin).toHaveAccessibleDescription(expect.stringContaining(why));
    await user.click(pin);
    expect(hub.sent.filter((call) => call.startsWith('PATCH'))).toEqual([]);
  });

  it('has no names and pins with an older agent, and says so', async () => {
    capacity = null;
    open();
    expect(await screen.findByText('Names and pins need a newer agent on this device.')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^(Rename|Pin)/ })).not.toBeInTheDocument();
  });
});
