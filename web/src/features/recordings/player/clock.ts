export const SPEEDS = [0.5, 1, 1.5, 2, 4, 8, 16] as const;
export type Speed = (typeof SPEEDS)[number];

/** Pauses of a session that are longer than this are cut short. */
const IDLE_MS = 2_000;
/** What is left of a pause that is cut short. */
const PAUSE_MS = 500;

/** Where a player is in a recording. It takes the time of day from its caller, in milliseconds. */
export class ReplayClock {
  private position = 0;
  /** When `position` was true; null while the clock stands. */
  private since: number | null = null;
  private rate: Speed = 1;

  get speed(): Speed {
    return this.rate;
  }

  get runs(): boolean {
    return this.since !== null;
  }

  /** Milliseconds since the start of the recording. */
  at(now: number): number {
    return this.since === null ? this.position : this.position + Math.max(0, now - this.since) * this.rate;
  }

  start(now: number): void {
    this.since ??= now;
  }

  /** Stands still, and keeps its position. */
  stop(now: number): void {
    this.position = this.at(now);
    this.since = null;
  }

  /** Goes to a position, and runs on if it ran. */
  move(ms: number, now: number): void {
    this.position = Math.max(0, ms);
    if (this.since !== null) this.since = now;
  }

  setSpeed(speed: Speed, now: number): void {
    this.move(this.at(now), now);
    this.rate = speed;
  }
}

/** The next faster or slower speed; the same at either end. */
export function speedBeside(speed: Speed, by: 1 | -1): Speed {
  return SPEEDS[SPEEDS.indexOf(speed) + by] ?? speed;
}

/**
 * Where to continue in a pause of a session: near its end if it is long, and a moment of it was seen. Undefined: play on.
 * @param last when something happened before `at`
 * @param next when something happens again
 */
export function afterIdle(at: number, last: number, next: number): number | undefined {
  if (next - last <= IDLE_MS || at - last < PAUSE_MS / 2) return undefined;
  const resume = next - PAUSE_MS / 2;
  return resume > at ? resume : undefined;
}
