import type { FormEvent, RefObject } from 'react';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import { typedSince } from '../../../sockets/desktop/keys.ts';
import type { DesktopControl } from './useDesktop.ts';
import classes from './Desktop.module.css';

/** The field must not be empty, or a keyboard sends no event for Backspace. */
const FILLER = '_'.repeat(64);

interface OnScreenKeyboardProps {
  field: RefObject<HTMLTextAreaElement | null>;
  desktop: DesktopControl;
}

/** An invisible field: what a phone's keyboard writes into it goes to the desktop as keys. */
export function OnScreenKeyboard({ field, desktop }: OnScreenKeyboardProps) {
  const take = ({ currentTarget }: FormEvent<HTMLTextAreaElement>) => {
    const { text: typed, backspaces } = typedSince(FILLER, currentTarget.value);
    currentTarget.value = FILLER;
    currentTarget.setSelectionRange(FILLER.length, FILLER.length);
    desktop.screen()?.type(typed, backspaces);
  };
  return (
    <textarea
      ref={field}
      className={classes.keyboard}
      aria-label={text.keyboardField}
      tabIndex={-1}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      defaultValue={FILLER}
      onInput={take}
      onFocus={({ currentTarget }) => currentTarget.setSelectionRange(FILLER.length, FILLER.length)}
    />
  );
}
