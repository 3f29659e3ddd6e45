const FIRST_MS = 2_000;
const MOST_MS = 5 * 60_000;
const MOST_ASKED_MS = 15 * 60_000;

/**
 * Milliseconds before the next attempt: 2 s, doubled each time up to 5 minutes, of which up to half is left out at random so that streams
 * spread; longer if the receiver asks for it, up to 15 minutes.
 * @param failures so far, from 1
 */
export function delayAfter(failures: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 20), MOST_MS) * (1 - random() / 2);
  return Math.round(Math.max(delay, Math.min(retryAfterMs, MOST_ASKED_MS)));
}
