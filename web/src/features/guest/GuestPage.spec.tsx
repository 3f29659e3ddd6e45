import { expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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
const PAGE = [{ path: '/guest/:id', element: <GuestPage stage={Stage} /> }];

/** Twice what the page waits before it asks again. */
const AGAIN_MS = 6_000;

it('opens without a click when the hub answers again after a first failure', async () => {
  let isUp = false;
  new FakeHub().on(/^\/api\/guest\/session$/, () =>
    isUp
      ? { body: SESSION }
      : { status: 503, body: { statusCode: 503, code: 'unavailable', message: 'Unavailable: identity restarts.' } },
  );
  show(PAGE, `/guest/${SESSION.id}`);
  expect(await screen.findByRole('alert')).toHaveTextContent('The guest link could not be opened.');
  isUp = true;
  expect(await screen.findByRole('heading', { name: 'pump-7' }, { timeout: AGAIN_MS })).toBeVisible();
}, 10_000);

const OUT = { status: 401, body: { statusCode: 401, code: 'unauthenticated', message: 'Not signed in: no guest.' } };
const LINK = {
  id: SESSION.id,
  state: 'open',
  purpose: 'terminal',
  host: 'Max Field',
  device: 'pump-7',
  pin: false,
  expires_at: SESSION.expires_at,
};
const BUSY = {
  status: 429,
  body: { statusCode: 429, code: 'resource_exhausted', message: 'Too many: calls.' },
  headers: { 'retry-after': '1' },
};

it.each([
  ['the session', /^\/api\/guest\/session$/, () => ({ body: SESSION }), 'pump-7'],
  ['the link', /^\/api\/guest\/[0-9a-f-]{36}$/, () => ({ body: LINK }), /pump-7$/],
])(
  'repeats a refused call for %s after the time in Retry-After',
  async (_what, path, answer, name) => {
    let asked = 0;
    const hub = new FakeHub().on(/^\/api\/guest\/session$/, () => OUT);
    hub.on(path, () => (++asked === 1 ? BUSY : answer()));
    history.replaceState(null, '', '#a-secret');
    show(PAGE, `/guest/${SESSION.id}#a-secret`);
    expect(await screen.findByText(/tries again in 1 second\./)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(await screen.findByRole('heading', { name }, { timeout: AGAIN_MS })).toBeVisible();
    expect(asked).toBe(2);
  },
  10_000,
);

it('says that the access has ended, also after reloads', async () => {
  let isIn = false;
  new FakeHub()
    .on(/^\/api\/guest\/[0-9a-f-]{36}$/, () => ({ body: LINK }))
    .on(/\/redeem$/, () => ((isIn = true), { body: { message: 'welcome' } }))
    .on(/^\/api\/guest\/session$/, () => (isIn ? { body: SESSION } : OUT));
  history.replaceState(null, '', '#a-secret');
  const router = show(PAGE, `/guest/${SESSION.id}#a-secret`);
  await userEvent.type(await screen.findByLabelText(/Your name/), 'Grace');
  await userEvent.click(screen.getByRole('button', { name: 'Open terminal' }));
  expect(await screen.findByRole('heading', { name: 'pump-7' })).toBeVisible();
  isIn = false;
  history.replaceState(null, '', '/');
  for (const _reload of [1, 2]) {
    cleanup();
    show(PAGE, router.state.location);
    expect(await screen.findByRole('heading', { name: 'Your guest access has ended' })).toBeVisible();
  }
});
