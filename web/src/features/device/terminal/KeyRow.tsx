import { IconArrowDown, IconArrowLeft, IconArrowRight, IconArrowUp } from '@tabler/icons-react';
import { UnstyledButton } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { messages } from '../../../lib/messages.ts';
import { extraKey } from '../../../sockets/terminal/keys.ts';
import type { ExtraKey, Modifiers } from '../../../sockets/terminal/keys.ts';
import type { TerminalControl } from './useTerminal.ts';
import classes from './Terminal.module.css';

/** A press must keep the focus in the terminal, or the phone's keyboard would close. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** The keys that a phone's keyboard lacks. Ctrl and Alt apply to the next key. */
export function KeyRow({ terminal }: { terminal: TerminalControl }) {
  const { modifiers, setModifiers } = terminal;
  const press = (key: ExtraKey) => {
    terminal.press(extraKey(key, terminal.screen()?.applicationKeys ?? false, modifiers));
    setModifiers({ ctrl: false, alt: false });
  };
  const key = (id: ExtraKey, face: ReactNode = id) => (
    <UnstyledButton className={classes.key} aria-label={id} onMouseDown={keepFocus} onClick={() => press(id)}>
      {face}
    </UnstyledButton>
  );
  const modifier = (id: keyof Modifiers, face: string) => (
    <UnstyledButton
      className={classes.key}
      aria-pressed={modifiers[id]}
      onMouseDown={keepFocus}
      onClick={() => setModifiers({ ...modifiers, [id]: !modifiers[id] })}
    >
      {face}
    </UnstyledButton>
  );
  return (
    <div className={classes.keys} role="toolbar" aria-label={messages.terminal.keys}>
      {key('Esc')}
      {key('Tab')}
      {modifier('ctrl', 'Ctrl')}
      {modifier('alt', 'Alt')}
      {key('Left', <IconArrowLeft size={17} aria-hidden />)}
      {key('Down', <IconArrowDown size={17} aria-hidden />)}
      {key('Up', <IconArrowUp size={17} aria-hidden />)}
      {key('Right', <IconArrowRight size={17} aria-hidden />)}
    </div>
  );
}
