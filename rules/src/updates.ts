import { z } from 'zod';

/** The days of a week as the API names them; ISO 8601 counts them from 1. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A time of day, `00:00` to `23:59`. */
export const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time from 00:00 to 23:59');

/** The name of a time zone in IANA's database. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'expected an IANA time zone such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  // Intl takes offsets too, which know no change of clocks.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
