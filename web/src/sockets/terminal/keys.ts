/** A key of the extra row on phones, whose keyboards lack it. */
export type ExtraKey = 'Esc' | 'Tab' | 'Up' | 'Down' | 'Left' | 'Right';

const arrows: Partial<Record<ExtraKey, string>> = { Up: 'A', Down: 'B', Right: 'C', Left: 'D' };

/** Modifiers that apply to the next key. */
export interface Modifiers {
  ctrl: boolean;
  alt: boolean;
}

/**
 * The escape sequence of an extra key (ECMA-48 and xterm's control sequences).
 * @param application whether the program asked for application cursor keys (DECCKM)
 */
export function extraKey(key: ExtraKey, application: boolean, modifiers: Modifiers): string {
  const arrow = arrows[key];
  if (arrow) {
    const modifier = 1 + (modifiers.alt ? 2 : 0) + (modifiers.ctrl ? 4 : 0);
    if (modifier > 1) return `\x1b[1;${modifier}${arrow}`;
    return `\x1b${application ? 'O' : '['}${arrow}`;
  }
  const plain = key === 'Esc' ? '\x1b' : '\t';
  return modifiers.alt ? `\x1b${plain}` : plain;
}

/** Applies pending modifiers to a typed character: Ctrl takes its low five bits, Alt prepends ESC. */
export function modified(text: string, modifiers: Modifiers): string {
  const first = text.charAt(0);
  const code = first.toUpperCase().charCodeAt(0);
  const control = modifiers.ctrl && code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : null;
  const space = modifiers.ctrl && first === ' ' ? '\0' : null;
  const body = (control ?? space ?? first) + text.slice(1);
  return modifiers.alt ? `\x1b${body}` : body;
}
