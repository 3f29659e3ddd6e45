/** How long sessions last, in milliseconds. */
export interface SessionOptions {
  idleMs: number;
  absoluteMs: number;
}
export const SESSION_OPTIONS = Symbol('SessionOptions');

const TOUCH_MS = 60_000;

/** Milliseconds that a session used now has left: the idle time, but never beyond its absolute end. */
export function timeLeft(options: SessionOptions, createdMs: number, nowMs: number): number {
  return Math.min(options.idleMs, createdMs + options.absoluteMs - nowMs);
}

/** Whether moving the expiry is worth a write: at most once a minute, more often only for very short idle times. */
export function isTouchDue(options: SessionOptions, ttlMs: number, leftMs: number): boolean {
  return leftMs - ttlMs > Math.min(TOUCH_MS, options.idleMs / 10);
}
