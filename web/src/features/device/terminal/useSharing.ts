import { useEffect, useState } from 'react';
import type { RefObject } from 'react';
import type { SessionRecording } from '../../../sockets/recording.ts';
import type { TerminalClient } from '../../../sockets/terminal/client.ts';
import type { PeopleInTerminal, TerminalEvents, TerminalRole } from '../../../sockets/terminal/types.ts';
import type { Screen } from './screen.ts';

/** A terminal that several windows and people share. */
export interface SharingControl extends PeopleInTerminal {
  /** What this window does. */
  role: TerminalRole;
  /** Whether this window sets the terminal's size. */
  mine: boolean;
  /** The address of another person who types now; null when nobody does. */
  typist: string | null;
  /** How the terminal is recorded; null if it is not. */
  recording: SessionRecording | null;
  answer: (request: string, role: TerminalRole | null) => void;
  /** Changes what a person may do; null ends it. */
  change: (user: string, role: TerminalRole | null) => void;
  askForControl: () => void;
  sizeBy: (mine: boolean) => void;
}

const NOBODY: PeopleInTerminal = { people: [], requests: [] };
/** Longer than the hub waits before it says so again. */
const TYPING_MS = 1_500;

/** Follows who is in a terminal. `follow` is to be called with each new client and its screen. */
export function useSharing(
  client: RefObject<TerminalClient | null>,
): SharingControl & { follow: (shell: TerminalClient, screen: Screen) => void } {
  const [people, setPeople] = useState(NOBODY);
  const [own, setOwn] = useState<TerminalEvents['role']>({ role: 'writer', mine: false });
  const [recording, setRecording] = useState<SessionRecording | null>(null);
  const [typing, setTyping] = useState<{ id: string } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setTyping(null), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typing]);
  return {
    ...people,
    ...own,
    recording,
    typist: (typing && people.people.find(({ id }) => id === typing.id)?.email) ?? null,
    answer: (request, allowed) => client.current?.sharing.answer(request, allowed),
    change: (user, next) => client.current?.sharing.change(user, next),
    askForControl: () => client.current?.sharing.askForControl(),
    sizeBy: (mine) => client.current?.sharing.sizeBy(mine),
    follow: (shell, screen) => {
      shell.subscribe('people', setPeople);
      shell.subscribe('recording', setRecording);
      shell.subscribe('typing', setTyping);
      shell.subscribe('role', setOwn);
      shell.subscribe('sized', (size) => screen.share(size));
      shell.subscribe('redraw', ({ bytes }) => screen.redraw(bytes, () => shell.parsed(0)));
      shell.subscribe('status', ({ state }) => state !== 'connected' && setPeople(NOBODY));
    },
  };
}
