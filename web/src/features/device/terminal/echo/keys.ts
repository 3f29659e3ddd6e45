/** An input from the view of prediction. `other`: its effect on the screen can't be known. */
export type Key = { kind: 'char'; char: string } | { kind: 'left' | 'right' | 'backspace' | 'other' };

/** One printable character of one column: ASCII, Latin, Greek and Cyrillic without combining marks and the soft hyphen. */
const NARROW = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u0391-\u03ff\u0400-\u0482\u048a-\u052f]$/;

const OTHER: Key = { kind: 'other' };

/** Keys of ECMA-48 cursor movement, with and without application cursor keys (DECCKM), and DEL, which terminals send for Backspace. */
const moves: Record<string, Key> = {
  '\x1b[C': { kind: 'right' },
  '\x1bOC': { kind: 'right' },
  '\x1b[D': { kind: 'left' },
  '\x1bOD': { kind: 'left' },
  '\x7f': { kind: 'backspace' },
};

/** Classifies the text of one input event. A paste, a composed word and a control character are `other`. */
export function keyOf(text: string): Key {
  if (NARROW.test(text)) return { kind: 'char', char: text };
  return moves[text] ?? OTHER;
}
