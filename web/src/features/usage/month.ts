/** The number of months that usage is kept for, besides the current one. */
const KEPT_MONTHS = 25;

const shape = /^20\d\d-(0[1-9]|1[0-2])$/;
const name = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});

/** A month in UTC, as `2026-11`. */
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** The month in an address, or the current one. */
export function monthIn(text: string | null, now: number): string {
  return text !== null && shape.test(text) ? text : monthOf(now);
}

/** The month that is `by` later. */
export function monthBeside(month: string, by: number): string {
  return monthOf(startOf(month, by));
}

/** Newest first. */
export function keptMonths(now: number): string[] {
  const present = monthOf(now);
  return Array.from({ length: KEPT_MONTHS + 1 }, (_, back) => monthBeside(present, -back));
}

/** First day, and the first one of the next month, in the hub's format. */
export function boundsOf(month: string): { from: string; to: string } {
  return { from: `${month}-01`, to: `${monthBeside(month, 1)}-01` };
}

/** Starts of its days in the hub's format, up to the current one. */
export function daysOf(month: string, now: number): string[] {
  const days: string[] = [];
  for (let at = startOf(month); at < startOf(month, 1) && at <= now; at += 86_400_000)
    days.push(new Date(at).toISOString());
  return days;
}

/** Seconds of it that have passed. */
export function secondsOf(month: string, now: number): number {
  return Math.max(0, Math.min(now, startOf(month, 1)) - startOf(month)) / 1_000;
}

/** `November 2026`. */
export const monthName = (month: string): string => name.format(startOf(month));

/** `Sun, Nov 1`. */
export const dayLabel = (start: string): string => dayName.format(Date.parse(start));

function startOf(month: string, by = 0): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number - 1 + by);
}
