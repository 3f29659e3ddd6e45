import type { Pin, Pty } from '../system/pty.ts';

/** Node.js fires timers of more than 24.8 days at once. */
const LONGEST_TIMER = 86_400_000;

/** The parts of a {@link DetachTimeout}. */
export interface DetachTimeoutParts {
  pty: Pty;
  /** How long a terminal that is not pinned waits, in milliseconds. */
  usual: number;
  /** As a former agent left it. */
  pin: Pin | undefined;
  onOver: () => void;
}

/**
 * Ends a detached terminal after the usual time, or the time of its pin. It counts by the monotonic clock, as does its keeper: a wrong
 * clock neither ends a terminal nor keeps it.
 */
export class DetachTimeout {
  private readonly parts: DetachTimeoutParts;
  private timer: NodeJS.Timeout | undefined;
  private end: number | undefined;
  private pinned: number;

  constructor(parts: DetachTimeoutParts) {
    this.parts = parts;
    this.pinned = (parts.pin?.seconds ?? 0) * 1000;
  }

  /** Milliseconds that it is kept without a writer; 0 if it is not pinned. */
  get pin(): number {
    return this.pinned;
  }

  /** Milliseconds until it ends; undefined while a writer is attached. */
  get left(): number | undefined {
    return this.end === undefined ? undefined : Math.max(0, this.end - performance.now());
  }

  /** Begins to wait. @param most milliseconds that are left of a pin that has run before */
  begin(most = Infinity): void {
    const { usual } = this.parts;
    // A pin that is almost over leaves the usual time to come back after a restart of the agent.
    this.end = performance.now() + (this.pinned > 0 ? Math.min(this.pinned, Math.max(most, usual)) : usual);
    if (this.pinned > 0) this.note();
    this.wait();
  }

  /** A writer has attached. */
  interrupt(): void {
    this.stop();
    if (this.pinned > 0) this.note();
  }

  /** Pins it from now on. @param milliseconds 0 to unpin it */
  set(milliseconds: number): void {
    if (milliseconds === 0 && this.pinned === 0) return;
    this.pinned = milliseconds;
    if (this.end === undefined || milliseconds === 0) this.note();
    if (this.end !== undefined) this.begin();
  }

  /** Shortens a longer pin, also one that runs. */
  bound(milliseconds: number): void {
    if (this.pinned <= milliseconds) return;
    if (milliseconds === 0) return this.set(0);
    const { left } = this;
    this.pinned = milliseconds;
    if (left === undefined) this.note();
    else this.begin(left);
  }

  /** Waits no more, and leaves the rest to the keeper. */
  stop(): void {
    clearTimeout(this.timer);
    this.end = undefined;
  }

  private wait(): void {
    clearTimeout(this.timer);
    const { left = 0 } = this;
    // A waiting terminal alone must not keep a stopping agent alive.
    this.timer = setTimeout(() => (this.left === 0 ? this.parts.onOver() : this.wait()), Math.min(left, LONGEST_TIMER));
    this.timer.unref();
  }

  private note(): void {
    const { left, pinned } = this;
    const runs = left !== undefined && pinned > 0;
    this.parts.pty.keeper?.pin({ seconds: Math.ceil(pinned / 1000), left: runs ? Math.ceil(left / 1000) : undefined });
  }
}
