import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, device, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { Shortcuts } from '../shortcuts/Shortcuts.tsx';
import { Palette } from './Palette.tsx';

function Open() {
  const [opened, setOpened] = useState(true);
  return <Palette opened={opened} onClose={() => setOpened(false)} />;
}

const page = (inside: React.ReactNode) => (
  <SessionContext value={person()}>
    <main>
      <input type="search" aria-label="Search devices" />
      {inside}
    </main>
  </SessionContext>
);

beforeEach(() => {
  new FakeHub().on(/^\/api\/devices$/, ({ searchParams }) => {
    const devices =
      searchParams.get('search') === 'greenhouse' ? [device({ id: 'd1', custom_name: 'Greenhouse' })] : [];
    return { body: { total: devices.length, devices } };
  });
});

it('has the first hit chosen, which Enter opens', async () => {
  const router = show([{ path: '*', element: page(<Open />) }], '/');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Search everything' }), 'greenhouse');
  await screen.findByRole('button', { name: /Greenhouse Connected/ });
  await waitFor(() => expect(document.querySelector('[data-selected]')).toHaveTextContent('Greenhouse'));
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.search).toBe('?device=d1'));
});

it('opens the first hit of what was typed when Enter comes before it', async () => {
  const router = show([{ path: '*', element: page(<Open />) }], '/');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Search everything' }), 'greenhouse{Enter}');
  await waitFor(() => expect(router.state.location.search).toBe('?device=d1'));
});

it('continues from the first by the arrows, to what can be done', async () => {
  const router = show([{ path: '*', element: page(<Open />) }], '/');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Search everything' }), 'greenhouse');
  await screen.findByText('Open console of Greenhouse');
  await waitFor(() => expect(document.querySelector('[data-selected]')).toHaveTextContent('Greenhouse'));
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/device/ssh/d1'));
});

it('goes to a page by g and its letter, searches by / and lists the keys by ?', async () => {
  const router = show([{ path: '*', element: page(<Shortcuts />) }], '/');
  // Without a turn of the clock in between: the second must come within a second.
  await userEvent.setup({ delay: null }).keyboard('gd');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/devices/${ACCOUNT}`));
  await userEvent.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await userEvent.keyboard('/');
  expect(screen.getByRole('searchbox', { name: 'Search devices' })).toHaveFocus();
  await userEvent.keyboard('g?/');
  expect(screen.getByRole('searchbox', { name: 'Search devices' })).toHaveValue('g?/');
});
