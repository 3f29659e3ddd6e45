/** Attempts in about a day. */
export const ATTEMPTS = 10;
/** Consecutive answers that the URL exists no more, after which a channel is disabled. */
export const GONE_LIMIT = 3;

const FIRST_MS = 30_000;
const FACTOR = 2.55;
const DAY_MS = 24 * 3_600_000;

/**
 * Milliseconds before the next attempt: 30 s, then 2.55 times as long each time, by up to a tenth less so that messages spread; longer if the
 * receiver asks for it, up to a day.
 * @param attempts made so far
 */
export function delayAfter(attempts: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const delay = FIRST_MS * FACTOR ** (attempts - 1) * (1 - random() / 10);
  return Math.round(Math.max(delay, Math.min(retryAfterMs, DAY_MS)));
}
