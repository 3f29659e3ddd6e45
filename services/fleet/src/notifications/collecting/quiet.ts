import type { QuietHours } from '@warren/rules/channels';
import { DateTime } from 'luxon';

const MINUTE_MS = 60_000;
/** Quiet hours end within a day, or on the next one if the clock skips their end. */
const MINUTES_AHEAD = 2 * 24 * 60;

/**
 * Whether a moment is in quiet hours. Only the clock on the wall decides: a time that a change of clocks skips is never there, one that it
 * repeats is there twice.
 */
export function isQuiet({ from, to, zone }: Omit<QuietHours, 'exceptCritical'>, at: Date): boolean {
  const time = DateTime.fromJSDate(at, { zone }).toFormat('HH:mm');
  return from < to ? from <= time && time < to : from <= time || time < to;
}

/** The first minute after a moment in quiet hours that is not. */
export function quietEnd(quiet: Omit<QuietHours, 'exceptCritical'>, at: Date): Date {
  const start = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  for (let minute = 1; minute <= MINUTES_AHEAD; minute++) {
    const moment = new Date(start + minute * MINUTE_MS);
    if (!isQuiet(quiet, moment)) return moment;
  }
  throw new Error(`Quiet hours never end: ${quiet.from} to ${quiet.to} in ${quiet.zone}.`);
}
