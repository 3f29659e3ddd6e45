/** X11 keysyms of keys without a character (RFC 6143, section 7.5.4), with their codes on the keyboard. */
const KEYS = {
  Ctrl: [0xffe3, 'ControlLeft'],
  Alt: [0xffe9, 'AltLeft'],
  Super: [0xffeb, 'MetaLeft'],
  Esc: [0xff1b, 'Escape'],
  Tab: [0xff09, 'Tab'],
  Delete: [0xffff, 'Delete'],
  Backspace: [0xff08, 'Backspace'],
  Enter: [0xff0d, 'Enter'],
  Print: [0xff61, 'PrintScreen'],
} as const;

export type DesktopKey = keyof typeof KEYS | `F${number}`;

/** A key to press: its keysym, and its code on the keyboard if it has one. */
export interface KeyCode {
  keysym: number;
  code: string | null;
}

const F1 = 0xffbe;

export function keyCode(key: DesktopKey): KeyCode {
  const known = (KEYS as Partial<Record<string, readonly [number, string]>>)[key];
  if (known) return { keysym: known[0], code: known[1] };
  return { keysym: F1 + Number(key.slice(1)) - 1, code: key };
}

/** The keysym of a character: Latin-1 as it is, all others by Unicode (X11 protocol, appendix A). */
export function keysymOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return point >= 0x20 && point <= 0xff ? point : 0x0100_0000 | point;
}

/** Presses the keys in order, then releases them in reverse order. */
export function chord(keys: readonly DesktopKey[]): { key: KeyCode; down: boolean }[] {
  const codes = keys.map(keyCode);
  const down = codes.map((key) => ({ key, down: true }));
  const up = codes.toReversed().map((key) => ({ key, down: false }));
  return [...down, ...up];
}

/** Translates an on-screen keyboard's edit of a text field into keys: so many characters were deleted at its end, and these inserted. */
export function typedSince(before: string, now: string): { backspaces: number; text: string } {
  const old = [...before];
  const fresh = [...now];
  let same = 0;
  while (same < old.length && same < fresh.length && old[same] === fresh[same]) same++;
  return { backspaces: old.length - same, text: fresh.slice(same).join('') };
}
