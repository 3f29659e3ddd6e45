import type { TerminalLimits } from './limits.ts';

/** Milliseconds: unnoticeable, and long enough to schedule the busy processes along the path. */
const AHEAD_MS = 20;
/** To a recorder, which is a process further away, and which nobody watches. */
export const RECORDER_AHEAD_MS = 60;

/**
 * The window of output in flight to a browser: what it draws in 20 ms, within limits. A smaller window stalls the program while the
 * processes along the path are scheduled; a larger one only delays the visible effect of Ctrl-C.
 */
export class OutputWindow {
  /** Bytes. */
  size: number;
  private readonly limits: Pick<TerminalLimits, 'window' | 'largestWindow'>;
  private readonly now: () => number;
  private readonly aheadMs: number;
  private from: { acked: number; at: number };

  /**
   * @param acked offset up to which the browser has acknowledged
   * @param now milliseconds
   * @param aheadMs what the reader takes in this time may be in flight
   */
  constructor(
    limits: Pick<TerminalLimits, 'window' | 'largestWindow'>,
    acked: number,
    now: () => number = () => performance.now(),
    aheadMs = AHEAD_MS,
  ) {
    this.size = limits.window;
    this.limits = limits;
    this.now = now;
    this.aheadMs = aheadMs;
    this.from = { acked, at: now() };
  }

  /** The browser has drawn all output before this offset. */
  drawn(acked: number): void {
    const at = this.now();
    const took = at - this.from.at;
    if (took < AHEAD_MS) return;
    const { window, largestWindow } = this.limits;
    const ahead = Math.round(((acked - this.from.acked) / took) * this.aheadMs);
    this.size = Math.min(Math.max(ahead, window), largestWindow);
    this.from = { acked, at };
  }
}
