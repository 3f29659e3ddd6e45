/** Bounds of terminal sessions; sizes in bytes, times in milliseconds. Tests pass smaller ones. */
export interface SessionLimits {
  /** Most sessions that run at once on this device. */
  sessions: number;
  /** Output kept for a browser that comes back. */
  replay: number;
  /** Unacknowledged output in flight to any attached browser. */
  window: number;
  /** The same for one that draws fast. */
  largestWindow: number;
  /** Largest piece of output in one message. */
  message: number;
  /** Typed bytes that may wait for a program before the link is asked to hold back. */
  input: number;
  /** Typed bytes that may wait at all; more than that ends the attachment. */
  inputMax: number;
  /** A terminal without an attachment ends after this time. */
  orphan: number;
}

export const DEFAULT_LIMITS: SessionLimits = {
  sessions: 32,
  replay: 2 * 1024 * 1024,
  window: 256 * 1024,
  largestWindow: 1024 * 1024,
  message: 64 * 1024,
  input: 256 * 1024,
  inputMax: 4 * 1024 * 1024,
  orphan: 10 * 60_000,
};

/** Room left in the replay buffer for what the kernel and the stream hold when a program exits while its output is paused. */
export const REPLAY_SLACK = 256 * 1024;
