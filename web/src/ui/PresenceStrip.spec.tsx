import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { DevicePresence } from '../lib/api/types.ts';
import { FakeHub } from '../testing/fake-hub.ts';
import { show } from '../testing/render.tsx';
import { PresenceStrip } from './PresenceStrip.tsx';

const at = (hour: number) => new Date(Date.UTC(2026, 2, 4, hour)).toISOString();
const span = (state: DevicePresence['spans'][number]['state'], from: number, to: number) => ({
  state,
  from: at(from),
  to: at(to),
});

function open(spans: DevicePresence['spans']) {
  new FakeHub().on(/\/presence$/, () => ({ body: { hours: 24, spans } }));
  show([{ path: '/', element: <PresenceStrip id="d1" /> }], '/');
}

it('shows each span in its length, and the share of the time that the device was connected', async () => {
  open([span('Unknown', 0, 4), span('Connected', 4, 19), span('Disconnected', 19, 24)]);
  const strip = await screen.findByRole('img', { name: 'Connected 75 % of the last 24 hours, 1 break.' });
  const parts = [...strip.children].map((part) => (part as HTMLElement).style.flexGrow);
  expect(parts.map((grow) => Number(grow) / 3_600_000)).toEqual([4, 15, 5]);
});

it('says so where nothing is known', async () => {
  open([span('Unknown', 0, 24)]);
  expect(await screen.findByRole('img')).toHaveAccessibleName('Connection in the last 24 hours: not known yet.');
});
