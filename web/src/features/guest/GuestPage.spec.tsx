import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { FakeHub } from '../../testing/fake-hub.ts';
import { show } from '../../testing/render.tsx';
import { GuestPage, type GuestStageProps } from './GuestPage.tsx';

const SESSION = {
  id: '0199b1d2-7c1e-7a52-9d5e-3f1f2f0c7b11',
  purpose: 'terminal',
  host: 'Max Field',
  device: 'pump-7',
  expires_at: '2099-01-01T12:00:00Z',
  device_id: '0199b1d2-7c1e-7a52-9d5e-3f1f2f0c7b12',
  guest: 'Grace',
  online: true,
};
const Stage = ({ lead }: GuestStageProps) => <main>{lead}</main>;

/** Twice what the page waits before it asks again. */
const AGAIN_MS = 6_000;

it('opens without a click when the hub answers again after a first failure', async () => {
  let isUp = false;
  new FakeHub().on(/^\/api\/guest\/session$/, () =>
    isUp
      ? { body: SESSION }
      : { status: 503, body: { statusCode: 503, code: 'unavailable', message: 'Unavailable: identity restarts.' } },
  );
  show([{ path: '/guest/:id', element: <GuestPage stage={Stage} /> }], `/guest/${SESSION.id}`);
  expect(await screen.findByRole('alert')).toHaveTextContent('The guest link could not be opened.');
  isUp = true;
  expect(await screen.findByRole('heading', { name: 'pump-7' }, { timeout: AGAIN_MS })).toBeVisible();
}, 10_000);
