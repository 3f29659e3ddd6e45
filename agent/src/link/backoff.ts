/** How long to wait between attempts, in milliseconds. */
export interface BackoffLimits {
  first: number;
  cap: number;
  factor: number;
}

/**
 * After a broken link or an unreachable hub: soon at first, then less often. The factor bounds how much a wait prolongs an outage:
 * a wait is less than two thirds of the time that has passed, plus half a second.
 */
export const REDIAL: BackoffLimits = { first: 500, cap: 30_000, factor: 1.3 };
/** After a refusal that only a person can resolve: another key, cloned state. */
export const REFUSED: BackoffLimits = { first: 15_000, cap: 300_000, factor: 2 };
/** The hub has no such device: only a restored backup can bring it back. */
export const DELETED: BackoffLimits = { first: 60_000, cap: 3_600_000, factor: 3 };
const RETRY_AFTER_CAP_MS = 300_000;

/** Capped exponential backoff; each wait lies between half of the step and the step, so that a fleet spreads out. */
export class Backoff {
  private attempt = 0;
  private random: () => number;

  /** @param random from 0 to less than 1 */
  constructor(random: () => number = Math.random) {
    this.random = random;
  }

  /**
   * The next wait in milliseconds.
   * @param retryAfter the hub's minimum; the wait is spread over up to half as much again
   */
  next(limits: BackoffLimits, retryAfter?: number): number {
    const step = Math.min(limits.cap, limits.first * limits.factor ** this.attempt);
    this.attempt = Math.min(this.attempt + 1, 64);
    if (retryAfter !== undefined) return Math.min(retryAfter, RETRY_AFTER_CAP_MS) * (1 + this.random() / 2);
    return step * (0.5 + this.random() / 2);
  }

  /** Resets the backoff after progress. */
  reset(): void {
    this.attempt = 0;
  }
}

/**
 * Parses a Retry-After header into milliseconds (RFC 9110, section 10.2.3: seconds, or a date), or undefined.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
