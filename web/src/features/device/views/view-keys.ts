/** What a shortcut of the device page does. */
export type ViewKey = 'right' | 'below' | 'other' | 'new' | 'next' | 'previous';

/**
 * Terminals send the same bytes with and without Shift for Ctrl and a letter, so none of these is a key of the shell. Ctrl with Shift and a
 * digit, `-` or an arrow would be.
 */
const KEYS: Readonly<Record<string, ViewKey>> = {
  KeyE: 'right',
  KeyO: 'below',
  KeyX: 'other',
  KeyS: 'new',
  Period: 'next',
  Comma: 'previous',
};

type Pressed = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

/** Returns what a key press does on the device page; undefined for every other key. */
export function viewKeyOf({ code, ctrlKey, shiftKey, altKey, metaKey }: Pressed): ViewKey | undefined {
  return ctrlKey && shiftKey && !altKey && !metaKey && Object.hasOwn(KEYS, code) ? KEYS[code] : undefined;
}
