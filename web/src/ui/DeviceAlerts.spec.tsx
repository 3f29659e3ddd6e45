import { expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { SessionContext } from '../lib/session.ts';
import { alert } from '../testing/alerts.ts';
import { FakeHub } from '../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../testing/people.ts';
import { show } from '../testing/render.tsx';
import { DeviceAlerts } from './DeviceAlerts.tsx';

function open(alerts: ReturnType<typeof alert>[]) {
  const hub = new FakeHub().on(/^\/api\/alerts$/, () => ({ body: { alerts, total: alerts.length } }));
  const element = (
    <SessionContext value={person()}>
      <DeviceAlerts device={device()} />
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
  return hub;
}

it('shows the open alerts of a device, and leads to all of them', async () => {
  const hub = open([alert({ acknowledged: { at: '2026-03-04T10:05:00.000Z', by: 'ada@example.org', note: '' } })]);
  const region = within(await screen.findByRole('region', { name: 'Open alerts' }));
  expect(region.getByText('Critical')).toBeInTheDocument();
  expect(region.getByText(/acknowledged by ada@example.org/)).toBeInTheDocument();
  expect(region.getByRole('link', { name: 'All alerts of this device' })).toHaveAttribute('href', '/alerts?device=d1');
  expect(hub.lastQuery('/api/alerts')).toEqual({ account: ACCOUNT, device: 'd1', state: 'open', limit: '5' });
});

it('shows nothing without any', async () => {
  const hub = open([]);
  await waitFor(() => expect(hub.sent).toEqual(['GET /api/alerts']));
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
});
