/**
 * Returns the milliseconds until the next attempt: doubled each time up to a cap, with full jitter above a tenth, so that a thousand
 * consoles don't reconnect at the same moment.
 * @param attempt number of failed attempts, from 1
 * @param random 0 (inclusive) to 1 (exclusive)
 */
export function backoff(attempt: number, random: () => number = Math.random, first = 500, cap = 15_000): number {
  const top = Math.min(cap, first * 2 ** Math.min(attempt - 1, 20));
  return Math.round(top * (0.1 + 0.9 * random()));
}
