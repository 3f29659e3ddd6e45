import { expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { SessionContext } from '../../lib/session.ts';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { AlertBell } from './AlertBell.tsx';

let counts = { open: { critical: 0, warning: 3, info: 0 }, unacknowledged: 3 };

function open() {
  const hub = new FakeHub().on(/^\/api\/alerts\/counts$/, () => ({ body: counts }));
  const element = (
    <SessionContext value={person()}>
      <AlertBell />
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
  return hub;
}

it('says how many alerts nobody has acknowledged, and follows them', async () => {
  const hub = open();
  expect(await screen.findByRole('link', { name: '3 open alerts' })).toHaveAttribute('href', '/alerts');
  expect(hub.lastQuery('/api/alerts/counts')).toEqual({ account: ACCOUNT });
  expect(screen.getByText('3')).not.toHaveAttribute('data-critical');
  counts = { open: { critical: 1, warning: 0, info: 0 }, unacknowledged: 1 };
  act(() => FakeEventSource.say({ kind: 'alert', id: '', account: ACCOUNT }));
  expect(await screen.findByRole('link', { name: '1 open alert' })).toBeInTheDocument();
  expect(screen.getByText('1')).toHaveAttribute('data-critical');
});

it('has what it shows of many in its name', async () => {
  counts = { open: { critical: 0, warning: 12_345, info: 0 }, unacknowledged: 12_345 };
  open();
  const bell = await screen.findByRole('link', { name: '12,345 open alerts, shown as 99+' });
  expect(bell).toHaveTextContent('99+');
});

it('shows no count without any', async () => {
  counts = { open: { critical: 0, warning: 0, info: 0 }, unacknowledged: 0 };
  open();
  const bell = await screen.findByRole('link', { name: 'No open alerts' });
  expect(bell).toHaveTextContent('');
});
