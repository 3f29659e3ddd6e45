import { describe, expect, it } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useRef } from 'react';
import type { TerminalClient } from '../../../sockets/terminal/client.ts';
import { show } from '../../../testing/render.tsx';
import { setUp } from '../../../testing/terminal-client.ts';
import { PeopleButton } from './PeopleButton.tsx';
import type { Screen } from './screen.ts';
import { useSharing } from './useSharing.ts';
import type { TerminalControl } from './useTerminal.ts';

const ada = { id: 'a', user: 'u1', email: 'ada@x.org', role: 'writer', owner: true, you: true };
const bob = { id: 'b', user: 'u2', email: 'bob@x.org', role: 'writer', owner: false, you: false };

const people = () => screen.findByRole('button', { name: 'People in this terminal' });
const size = () => screen.findByRole('switch', { name: 'Use the size of this window' });

/** The button of a terminal whose hub is moved by hand. */
async function open(here: object[] = [ada, bob]) {
  const { client, wire } = setUp();
  function Bar() {
    const shown = useRef<TerminalClient | null>(client);
    const { follow, ...sharing } = useSharing(shown);
    useEffect(() => follow(client, { share: () => {} } as unknown as Screen), []);
    return <PeopleButton device="d1" terminal={{ session: 's1', sharing } as TerminalControl} />;
  }
  show([{ path: '/', element: <Bar /> }], '/');
  client.connect();
  await waitFor(() => expect(wire.sockets).toHaveLength(1));
  const attach = (role = 'writer') => {
    wire.last().hear('register_status', { success: true, session: 's1', offset: 0, role });
    wire.last().hear('people', { people: here, requests: [] });
  };
  act(() => wire.last().hear('connect'));
  act(() => attach());
  return { wire, attach, user: userEvent.setup() };
}

describe('the people in a terminal', () => {
  it('say who types, and the owner what each may do', async () => {
    const { user, wire } = await open();
    await user.click(await people());
    expect(await screen.findByRole('listitem', { name: 'ada@x.org' })).toHaveTextContent('Types · you · owner');
    await user.click(screen.getByRole('button', { name: 'Actions for bob@x.org' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Only watch' }));
    expect(wire.last().payloads('role')).toEqual([{ user: 'u2', role: 'reader' }]);
  });

  it('let this window set the size, and show that when they are opened again', async () => {
    const { user, wire, attach } = await open();
    await user.click(await people());
    expect(await size()).not.toBeChecked();
    await user.click(await size());
    expect(wire.last().payloads('sizing')).toEqual([{ mine: true }]);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('switch')).not.toBeInTheDocument());
    // The hub attaches it again, as after a disconnect.
    act(() => attach());
    await user.click(await people());
    expect(await size()).toBeChecked();
    await user.click(await size());
    expect(wire.last().payloads('sizing')).toEqual([{ mine: true }, { mine: true }, { mine: false }]);
    expect(await size()).not.toBeChecked();
  });

  it('show that another window has taken the size, which is not taken back after a disconnect', async () => {
    const { user, wire, attach } = await open();
    await user.click(await people());
    await user.click(await size());
    expect(await size()).toBeChecked();
    act(() => wire.last().hear('sizing', { mine: false }));
    expect(await size()).not.toBeChecked();
    act(() => attach());
    expect(await size()).not.toBeChecked();
    expect(wire.last().payloads('sizing')).toEqual([{ mine: true }]);
  });

  it('offer that to nobody who only watches, and not where there is one window', async () => {
    const { user, wire, attach } = await open();
    act(() => attach('reader'));
    await user.click(await people());
    await screen.findByRole('button', { name: 'Take control' });
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    act(() => attach());
    await size();
    act(() => wire.last().hear('people', { people: [ada], requests: [] }));
    await waitFor(() => expect(screen.queryByRole('switch')).not.toBeInTheDocument());
  });
});
