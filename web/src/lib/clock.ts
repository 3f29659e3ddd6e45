let ahead = 0;

/** Measures the offset of the hub's clock by the `Date` header of a response, in whole seconds. */
export function learnClock(date: string | null | undefined, now = Date.now()): void {
  const at = date ? Date.parse(date) : NaN;
  if (!Number.isNaN(at)) ahead = Math.abs(at - now) > 2_000 ? at - now : 0;
}

/** Returns the time by the hub's clock, in ms since epoch, to about two seconds, even if this machine's clock is wrong. */
export const hubNow = (): number => Date.now() + ahead;
