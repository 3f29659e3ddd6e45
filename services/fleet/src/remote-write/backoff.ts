const FIRST_MS = 1_000;
const MOST_MS = 30_000;
/** A receiver that asks for longer is asked again after this. */
const MOST_ASKED_MS = 300_000;

/**
 * Milliseconds before the next attempt: 1 s, doubled each time up to 30 s, by up to a tenth less so that replicas spread; longer if the
 * receiver asks for it, up to 5 minutes.
 * @param attempts made so far
 */
export function delayAfter(attempts: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const delay = Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 10), MOST_MS) * (1 - random() / 10);
  return Math.round(Math.max(delay, Math.min(retryAfterMs, MOST_ASKED_MS)));
}
