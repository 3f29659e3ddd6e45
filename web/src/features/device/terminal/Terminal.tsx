import type { ReactNode } from 'react';
import { messages } from '../../../lib/messages.ts';
import { KeyRow } from './KeyRow.tsx';
import { Notice } from './Notice.tsx';
import { SearchBar } from './SearchBar.tsx';
import { TerminalBar } from './TerminalBar.tsx';
import { usePreferences } from './usePreferences.ts';
import { useTerminal } from './useTerminal.ts';
import type { TerminalTarget } from './useTerminal.ts';
import frame from '../Session.module.css';
import classes from './Terminal.module.css';

interface TerminalProps extends TerminalTarget {
  name: string;
  /** The start of the bar. */
  lead: ReactNode;
}

/** A shell on the device, in all available space. */
export function Terminal({ name, lead, ...target }: TerminalProps) {
  const preferences = usePreferences();
  const terminal = useTerminal(target, preferences);
  return (
    <div className={frame.root}>
      <TerminalBar lead={lead} name={name} device={target.id} terminal={terminal} preferences={preferences} />
      <div className={classes.stage}>
        <div ref={terminal.host} className={classes.host} role="group" aria-label={messages.terminal.label(name)} />
        {terminal.searching ? <SearchBar terminal={terminal} /> : null}
        <Notice name={name} terminal={terminal} />
      </div>
      <KeyRow terminal={terminal} />
    </div>
  );
}
