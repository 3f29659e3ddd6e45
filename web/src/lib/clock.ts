let ahead = 0;

/** Learns how far the hub's clock is from this machine's, from the `Date` header of an answer (whole seconds). */
export function learnClock(date: string | null | undefined, now = Date.now()): void {
  const at = date ? Date.parse(date) : NaN;
  if (!Number.isNaN(at)) ahead = Math.abs(at - now) > 2_000 ? at - now : 0;
}

/** Now by the hub's clock, in ms since epoch; right to about two seconds however wrong this machine's clock is. */
export const hubNow = (): number => Date.now() + ahead;
