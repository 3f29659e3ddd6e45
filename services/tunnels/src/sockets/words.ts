import type { z } from 'zod';

const MAX_TEXT = 300;

/** Words of a device as people are shown them: short, and on one line. */
export function deviceWords(untrusted: string): string {
  return untrusted.replace(/\p{C}/gu, ' ').slice(0, MAX_TEXT);
}

/** The one line that tells what is wrong with a payload. */
export function problemOf(event: string, error: z.ZodError): string {
  const issue = error.issues[0];
  return `${event}: ${[...(issue?.path ?? []), issue?.message].join(' ')}`;
}
