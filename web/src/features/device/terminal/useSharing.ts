import { useState } from 'react';
import type { RefObject } from 'react';
import type { TerminalClient } from '../../../sockets/terminal/client.ts';
import type { PeopleInTerminal, TerminalRole } from '../../../sockets/terminal/types.ts';
import type { Screen } from './screen.ts';

/** A terminal that several windows and people share. */
export interface SharingControl extends PeopleInTerminal {
  /** What this window does. */
  role: TerminalRole;
  answer: (request: string, role: TerminalRole | null) => void;
  /** Changes what a person may do; null ends it. */
  change: (user: string, role: TerminalRole | null) => void;
  askForControl: () => void;
  sizeBy: (mine: boolean) => void;
}

const NOBODY: PeopleInTerminal = { people: [], requests: [] };

/** Follows who is in a terminal. `follow` is to be called with each new client and its screen. */
export function useSharing(
  client: RefObject<TerminalClient | null>,
): SharingControl & { follow: (shell: TerminalClient, screen: Screen) => void } {
  const [people, setPeople] = useState(NOBODY);
  const [role, setRole] = useState<TerminalRole>('writer');
  return {
    ...people,
    role,
    answer: (request, allowed) => client.current?.sharing.answer(request, allowed),
    change: (user, next) => client.current?.sharing.change(user, next),
    askForControl: () => client.current?.sharing.askForControl(),
    sizeBy: (mine) => client.current?.sharing.sizeBy(mine),
    follow: (shell, screen) => {
      shell.subscribe('people', setPeople);
      shell.subscribe('role', (now) => setRole(now.role));
      shell.subscribe('sized', (size) => screen.share(size));
      shell.subscribe('redraw', ({ bytes }) => screen.redraw(bytes, () => shell.parsed(0)));
      shell.subscribe('status', ({ state }) => state !== 'connected' && setPeople(NOBODY));
    },
  };
}
