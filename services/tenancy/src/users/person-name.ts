const MAX_LENGTH = 200;

/**
 * A person's name as it may be stored: on one line, no control or invisible formatting characters, 200 characters at most.
 * Joiners stay: Persian and Indic names are spelled with them, and emoji.
 */
export function personName(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, '');
  return [...plain.trim()].slice(0, MAX_LENGTH).join('');
}
