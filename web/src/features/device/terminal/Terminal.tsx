import type { ReactNode } from 'react';
import { messages } from '../../../lib/messages.ts';
import { KeyRow } from './KeyRow.tsx';
import { Notice } from './Notice.tsx';
import { SearchBar } from './SearchBar.tsx';
import { TerminalBar } from './TerminalBar.tsx';
import { usePreferences } from './usePreferences.ts';
import { useTerminal } from './useTerminal.ts';
import classes from './Terminal.module.css';

interface TerminalProps {
  /** The device's id. */
  id: string;
  name: string;
  /** Whether the hub says that the device is connected. */
  online: boolean;
  /** What the bar begins with. */
  lead: ReactNode;
}

/** A shell on the device, in all the room there is. */
export function Terminal({ id, name, online, lead }: TerminalProps) {
  const preferences = usePreferences();
  const terminal = useTerminal(id, online, preferences);
  return (
    <div className={classes.root}>
      <TerminalBar lead={lead} name={name} terminal={terminal} preferences={preferences} />
      <div className={classes.stage}>
        <div ref={terminal.host} className={classes.host} role="group" aria-label={messages.terminal.label(name)} />
        {terminal.searching ? <SearchBar terminal={terminal} /> : null}
        <Notice name={name} terminal={terminal} />
      </div>
      <KeyRow terminal={terminal} />
    </div>
  );
}
