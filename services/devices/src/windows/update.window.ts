import { timeOfDay, timeZone } from '@warren/rules/updates';
import { DateTime } from 'luxon';
import { z } from 'zod';

/** Local times in which the devices of an account may be updated. */
export const updateWindowSchema = z.object({
  /** ISO 8601: 1 is Monday, 7 is Sunday. The day on which the window opens. */
  days: z
    .array(z.int().min(1).max(7))
    .min(1, 'expected at least one day')
    .transform((days) => [...new Set(days)].sort((one, other) => one - other)),
  from: timeOfDay,
  /** Not later than `from`: on the next day. */
  to: timeOfDay,
  timeZone,
});
export type UpdateWindow = z.output<typeof updateWindowSchema>;

/** A window opens within a week, or a week later on a day whose clock skips it. */
const DAYS_AHEAD = 15;

/**
 * Whether devices may be updated at a moment. Only the clock on the wall decides: a time that a change of clocks skips is never there, one
 * that it repeats is there twice.
 */
export function isOpen({ days, from, to, timeZone }: UpdateWindow, at: Date): boolean {
  const local = DateTime.fromJSDate(at, { zone: timeZone });
  const time = local.toFormat('HH:mm');
  const today = days.includes(local.weekday);
  if (from < to) return today && from <= time && time < to;
  const yesterday = days.includes(local.weekday === 1 ? 7 : local.weekday - 1);
  return (today && from <= time) || (yesterday && time < to);
}

/** When a window that is closed opens next. */
export function nextOpening(window: UpdateWindow, after: Date): Date {
  const [hour = 0, minute = 0] = window.from.split(':').map(Number);
  const midnight = DateTime.fromJSDate(after, { zone: window.timeZone }).startOf('day');
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++) {
    const start = midnight.plus({ days: ahead }).set({ hour, minute });
    // A start that the clock skips is moved on; the window is open from the end of the gap.
    const moments = [...start.getPossibleOffsets(), start.startOf('hour')]
      .map((moment) => moment.toMillis())
      .sort((one, other) => one - other);
    const opening = moments.find((moment) => moment > after.getTime() && isOpen(window, new Date(moment)));
    if (opening !== undefined) return new Date(opening);
  }
  throw new Error(`Window: it never opens: ${windowText(window)}.`);
}

const DAY_NAMES = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** A window for people: `Sat, Sun 02:00–05:00 Europe/Berlin`; `always` without one. */
export function windowText(window: UpdateWindow | undefined): string {
  if (!window) return 'always';
  const { days, from, to, timeZone } = window;
  return `${days.map((day) => DAY_NAMES[day]).join(', ')} ${from}–${to} ${timeZone}`;
}
