import { Suspense, useEffect, useId } from 'react';
import type { ReactNode } from 'react';
import { messages } from '../../../lib/messages.ts';
import { part } from '../../../ui/part.tsx';
import { KeyRow } from './KeyRow.tsx';
import { Notice } from './Notice.tsx';
import { SearchBar } from './SearchBar.tsx';
import { TerminalBar } from './TerminalBar.tsx';
import { usePreferences } from './usePreferences.ts';
import { useTerminal } from './useTerminal.ts';
import type { TerminalTarget } from './useTerminal.ts';
import { useTerminalName } from './useTerminalName.ts';
import frame from '../Session.module.css';
import classes from './Terminal.module.css';

const RecordingNotice = part(async () => (await import('../RecordingNotice.tsx')).RecordingNotice);
const SharingNotice = part(async () => (await import('./SharingNotice.tsx')).SharingNotice);

interface TerminalProps extends TerminalTarget {
  name: string;
  /** The start of the bar. */
  lead: ReactNode;
  /** One of several views on a page: its bar is one row on a phone too. */
  embedded?: boolean;
  /** Takes the focus whenever this becomes true. */
  focused?: boolean;
  /** It is the terminal of a guest, who has no others. */
  guest?: boolean;
  /** Shows elsewhere what the person calls the terminal, which may be empty; without it the bar does. */
  onTitle?: (title: string) => void;
}

/** A shell on the device, in all available space. */
export function Terminal({
  name,
  lead,
  embedded = false,
  focused = true,
  guest = false,
  onTitle,
  ...target
}: TerminalProps) {
  const hint = useId();
  const preferences = usePreferences();
  const terminal = useTerminal(target, hint, preferences);
  const device = guest ? null : target.id;
  const title = useTerminalName(device, terminal.session);
  useEffect(() => onTitle?.(title), [title]);
  const { people, requests, role, recording } = terminal.sharing;
  const shared = people.length > 1 || requests.length > 0 || role === 'reader';
  useEffect(() => {
    if (focused) terminal.screen()?.focus();
  }, [focused]);
  return (
    <div className={frame.root} data-embedded={embedded || undefined}>
      <TerminalBar
        lead={lead}
        name={name}
        title={onTitle ? '' : title}
        device={device}
        hint={hint}
        terminal={terminal}
        preferences={preferences}
      />
      {recording?.state === 'waiting' ? (
        <Suspense>
          <RecordingNotice kind="terminal" recording={recording} />
        </Suspense>
      ) : null}
      {shared ? (
        <Suspense>
          <SharingNotice sharing={terminal.sharing} />
        </Suspense>
      ) : null}
      <div className={classes.stage}>
        <div ref={terminal.host} className={classes.host} role="group" aria-label={messages.terminal.label(name)} />
        {terminal.searching ? <SearchBar terminal={terminal} /> : null}
        <Notice name={name} terminal={terminal} />
      </div>
      <KeyRow terminal={terminal} />
    </div>
  );
}
