import type { z } from 'zod';

const MAX_TEXT = 300;

/** A device's text for display: short, and on one line. */
export function deviceWords(untrusted: string): string {
  return untrusted.replace(/\p{C}/gu, ' ').slice(0, MAX_TEXT);
}

/** The same text as a separate sentence. */
export function deviceSentence(untrusted: string): string {
  const words = deviceWords(untrusted);
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[\p{L}\p{N}]$/u.test(words) ? '.' : '');
}

/** Describes an invalid payload in one line. */
export function problemOf(event: string, error: z.ZodError): string {
  const issue = error.issues[0];
  return `${event}: ${[...(issue?.path ?? []), issue?.message].join(' ')}`;
}
