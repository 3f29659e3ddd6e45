import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Recording } from '../../lib/api/types.ts';
import { SessionContext, type Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { person } from '../../testing/people.ts';
import { RECORDING, recording } from '../../testing/recorded.ts';
import { show } from '../../testing/render.tsx';
import { RecordingPage } from './RecordingPage.tsx';
import { momentIn, momentPath, momentText } from './times.ts';

const owner = person({
  group: { id: 'g', role: 'Owner' } as never,
  permissions: ['recordings.view', 'recordings.export', 'recordings.manage'] as never,
});

let hub: FakeHub;
let one: Recording;

beforeEach(() => {
  // Without chunks there is nothing to draw.
  one = recording({ chunks: 0 });
  hub = new FakeHub()
    .on(/^\/api\/recordings\/[^/]+$/, (_url, { method }) => ({
      body: method === 'DELETE' ? { msg: 'deleted' } : { recording: one },
    }))
    .on(/hold$/, () => ({ body: { msg: 'held', result: one } }));
});

const open = (session: Session = owner) =>
  show(
    [
      {
        path: '/sessions/:id',
        element: (
          <SessionContext value={session}>
            <RecordingPage />
          </SessionContext>
        ),
      },
      { path: '/sessions', element: <p>the list</p> },
    ],
    `/sessions/${RECORDING}`,
  );

const choose = async (action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Greenhouse' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return screen.findByRole('dialog', { name: action });
};

it('says whether it is complete, and proves it', async () => {
  open();
  expect(await screen.findAllByText('Complete and signed')).not.toHaveLength(0);
  expect(screen.getByText('Every byte of output is there, and its end is signed.')).toBeInTheDocument();
  expect(screen.getByText('Nothing is recorded yet.')).toBeInTheDocument();
});

it.each([
  [{ gaps: 1 }, 'Has gaps'],
  [{ signed: false }, 'Not signed'],
  [{ ended: null, signed: false }, 'Open'],
])('says of %j: %s', async (change, words) => {
  one = recording({ chunks: 0, ...change });
  open();
  expect(await screen.findAllByText(words)).not.toHaveLength(0);
});

it('shows the owner of a session its entry, and how it can be seen', async () => {
  one = recording({ playable: false });
  open(person());
  expect(await screen.findByText(/but not play it/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Export' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Actions for Greenhouse' })).not.toBeInTheDocument();
});

it('holds it with a reason', async () => {
  open();
  const dialog = await choose('Place legal hold');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Place hold' }));
  expect(within(dialog).getByText('Give a reason.')).toBeInTheDocument();
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason' }), ' Case 7 ');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Place hold' }));
  await waitFor(() =>
    expect(hub.lastBody(`/api/recordings/${RECORDING}/hold`)).toEqual({ held: true, reason: 'Case 7' }),
  );
});

it('releases the hold', async () => {
  one = recording({ chunks: 0, hold: { since: '2026-03-05T00:00:00.000Z', by: 'mara@example.org', reason: 'Case 7' } });
  open();
  const dialog = await choose('Release legal hold');
  expect(within(dialog).getByText('It is held for: Case 7')).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Release hold' }));
  await waitFor(() => expect(hub.lastBody(`/api/recordings/${RECORDING}/hold`)).toEqual({ held: false }));
});

it('deletes it once its device is named', async () => {
  open();
  const dialog = await choose('Delete recording');
  const act = within(dialog).getByRole('button', { name: 'Delete recording' });
  expect(act).toBeDisabled();
  await userEvent.type(within(dialog).getByRole('textbox'), 'Greenhouse');
  await userEvent.click(act);
  expect(await screen.findByText('the list')).toBeInTheDocument();
  expect(hub.sent.filter((sent) => sent.startsWith('DELETE'))).toEqual([`DELETE /api/recordings/${RECORDING}`]);
});

it('offers the formats of exports, and says that redaction applies', async () => {
  open();
  await userEvent.click((await screen.findAllByRole('button', { name: 'Export' }))[0]!);
  const dialog = await screen.findByRole('dialog', { name: 'Export recording' });
  expect(within(dialog).getByRole('radio', { name: /asciicast v2/ })).toBeChecked();
  expect(within(dialog).getByText(/Redaction rules of the account apply/)).toBeInTheDocument();
});

it('says that a desktop was recorded, and offers no export of it', async () => {
  one = recording({ chunks: 0, kind: 'desktop', size: null, exit: null });
  open();
  expect(await screen.findByText('Desktop')).toBeInTheDocument();
  expect(screen.getByRole('img', { name: 'Desktop' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Export' })).not.toBeInTheDocument();
  const dialog = await choose('Delete recording');
  expect(within(dialog).getByText('What the screen showed')).toBeInTheDocument();
});

it('says when there is no such recording', async () => {
  hub.on(/^\/api\/recordings\/[^/]+$/, () => ({ status: 404, body: { message: 'Not found: recording.' } }));
  open();
  expect(await screen.findByRole('heading', { name: 'There is no such recording.' })).toBeInTheDocument();
});

it('says so for an address of something else', async () => {
  hub.on(new RegExp(`/${RECORDING}$`), () => ({ body: { policy: 'off' } }));
  open();
  expect(await screen.findByText('There is no such recording.')).toBeInTheDocument();
});

it('names moments, and reads them from addresses', () => {
  expect([0, 7_900, 754_000, 3_723_000].map(momentText)).toEqual(['0:00', '0:07', '12:34', '1:02:03']);
  expect(momentPath('r1')).toBe('/sessions/r1');
  expect(momentPath('r1', 93_512, 'a b')).toBe('/sessions/r1?t=93.512&find=a+b');
  expect([null, '93.5', '-1', 'x', '1e999'].map(momentIn)).toEqual([0, 93_500, 0, 0, 0]);
});
