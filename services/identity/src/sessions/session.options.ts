/** How long sessions last, in milliseconds. */
export interface SessionOptions {
  idleMs: number;
  absoluteMs: number;
}
export const SESSION_OPTIONS = Symbol('SessionOptions');

const TOUCH_MS = 60_000;

/** Milliseconds until a session used now expires: the idle timeout, capped at its absolute end. */
export function timeLeft(options: SessionOptions, createdMs: number, nowMs: number): number {
  return Math.min(options.idleMs, createdMs + options.absoluteMs - nowMs);
}

/** Shortest renewal worth a write: at most one a minute, more often only for very short idle timeouts. */
export function leastRenewal({ idleMs }: Pick<SessionOptions, 'idleMs'>): number {
  return Math.min(TOUCH_MS, idleMs / 10);
}

/** Whether to renew a session. */
export function isTouchDue(options: SessionOptions, ttlMs: number, leftMs: number): boolean {
  return leftMs - ttlMs > leastRenewal(options);
}
