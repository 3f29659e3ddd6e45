import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { TerminalPerson } from '../../../sockets/terminal/types.ts';
import { show } from '../../../testing/render.tsx';
import { SharingNotice } from './SharingNotice.tsx';
import type { SharingControl } from './useSharing.ts';

const person = (user: string, more: Partial<TerminalPerson> = {}): TerminalPerson => ({
  id: `${user}-1`,
  user,
  email: `${user}@x.org`,
  role: 'reader',
  owner: false,
  observes: false,
  you: false,
  ...more,
});

const notice = (people: TerminalPerson[], role: SharingControl['role']) =>
  show(
    [{ path: '/', element: <SharingNotice sharing={{ people, requests: [], role } as unknown as SharingControl} /> }],
    '/',
  );

const ada = person('ada', { role: 'writer', owner: true });
const eve = person('eve', { observes: true });

it('names to the owner everybody who observes, each once', async () => {
  const joe = [person('joe', { observes: true }), person('joe', { id: 'joe-2', observes: true })];
  notice([{ ...ada, you: true }, eve, ...joe, person('bob')], 'writer');
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'eve@x.org and joe@x.org observe this terminal without consent. The account lets its Owner and Admins do that.',
  );
});

it('says to an observer that the others see it', async () => {
  notice([ada, { ...eve, you: true }], 'reader');
  expect(await screen.findByRole('status')).toHaveTextContent('You observe the terminal of ada@x.org without consent.');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('is quiet about people whom the owner has let in', async () => {
  notice([{ ...ada, you: true }, person('bob')], 'writer');
  expect(screen.queryByText(/observe/)).not.toBeInTheDocument();
});
