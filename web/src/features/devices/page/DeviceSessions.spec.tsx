import { beforeEach, expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { SessionContext, type Session } from '../../../lib/session.ts';
import { auditEvent } from '../../../testing/audit.ts';
import { FakeHub } from '../../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../../testing/people.ts';
import { RECORDING, recording } from '../../../testing/recorded.ts';
import { show } from '../../../testing/render.tsx';
import { DeviceSessions } from './DeviceSessions.tsx';

const AT = Date.parse('2026-03-04T12:00:00.000Z');
const actorOf = (name: string, kind = 'user') => ({ kind, id: `id-${name}`, name, email: '' }) as never;

/** An event of a session, so many minutes after noon. */
function event(minutes: number, action: string, request: string, details: Record<string, unknown> = {}) {
  const time = new Date(AT + minutes * 60_000).toISOString();
  const actor = actorOf(request, request === 'Visitor' ? 'guest' : 'user');
  return auditEvent({ id: `${request}${action}`, time, action, actor, requestId: request, details });
}

const EVENTS = [
  event(20, 'desktop.open', 'Grace', { desktop: 'd-7' }),
  event(15, 'terminal.close', 'Ada', { terminal: 't-1', ended: 'left', seconds: 600 }),
  event(9, 'web_service.close', 'Visitor', { seconds: 300 }),
  event(5, 'terminal.open', 'Ada', { terminal: 't-1' }),
  event(-1, 'terminal.close', 'Lost', { ended: 'lost' }),
];

let hub: FakeHub;

beforeEach(() => {
  hub = new FakeHub()
    .on(/^\/api\/audit\/events$/, () => ({ body: { events: EVENTS, next: null } }))
    .on(/^\/api\/recordings$/, () => ({
      body: { recordings: [recording({ session: 't-1' }), recording({ id: 'r2', session: 'other' })], next: null },
    }));
});

function open(change: Partial<Session> = {}) {
  const account = { id: ACCOUNT, name: 'Northwind' };
  const element = (
    <SessionContext value={person({ group: { id: 'g', role: 'Owner' } as never, ...change })}>
      <DeviceSessions device={{ id: 'd1', account }} />
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
}

it('shows who was on the device, the newest first, how long and what was recorded', async () => {
  open({ permissions: ['recordings.view'] as never });
  const recorded = await screen.findByRole('link', { name: 'Recording' });
  expect(recorded).toHaveAttribute('href', `/sessions/${RECORDING}`);
  const rows = screen.getAllByRole('listitem').map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^DesktopGrace.* · open now$/),
    expect.stringMatching(/^TerminalAda.* · 10 min.*Recording$/),
    expect.stringMatching(/^Web serviceVisitor \(guest\).* · 5 min/),
    expect.stringMatching(/^TerminalLost.*$/),
  ]);
  // It began before the oldest event.
  const visit = screen.getByText('Visitor (guest)').closest('li') as HTMLElement;
  expect(within(visit).getByRole('time')).toHaveAttribute('datetime', new Date(AT + 4 * 60_000).toISOString());
  expect(hub.lastQuery('/api/audit/events')).toMatchObject({ account: ACCOUNT, target: 'd1' });
  expect(screen.getByRole('link', { name: 'All events of this device' })).toHaveAttribute('href', '/audit?target=d1');
});

it('asks for no recordings without the permission to play them', async () => {
  open();
  await screen.findByText('Ada');
  expect(screen.queryByRole('link', { name: 'Recording' })).not.toBeInTheDocument();
  expect(hub.asked.map(({ pathname }) => pathname)).not.toContain('/api/recordings');
});

it('says that nobody was there', async () => {
  hub.on(/^\/api\/audit\/events$/, () => ({ body: { events: [], next: null } }));
  open();
  expect(await screen.findByText('No recent sessions')).toBeInTheDocument();
});

it('says why there is no list', async () => {
  hub.on(/^\/api\/audit\/events$/, () => ({
    status: 503,
    body: { message: 'unavailable: the audit service is away.' },
  }));
  open();
  expect(await screen.findByText('the audit service is away.')).toBeInTheDocument();
});
