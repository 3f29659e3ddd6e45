/** Limits of terminals; sizes in bytes, times in milliseconds. Tests pass smaller ones. */
export interface TerminalLimits {
  /** Terminals running at once on this device. */
  terminals: number;
  /** The replay buffer: output kept for a reconnecting browser. */
  replay: number;
  /** Unacknowledged output in flight to any attached browser. */
  window: number;
  /** The same for a browser that draws fast. */
  largestWindow: number;
  /** The window of a reader at first, and the smallest one. */
  readerWindow: number;
  /** Unsent output at which an attachment that does not set the program's pace skips to a snapshot. */
  behind: number;
  /** Writers of one terminal at once. */
  writers: number;
  /** Readers of one terminal at once. */
  readers: number;
  /** Changes of the size that a recorder may not have read yet; older ones are left out. */
  sizes: number;
  /** Largest piece of output in one message. */
  message: number;
  /** Pending input before backpressure applies to the link. */
  input: number;
  /** The limit of pending input; more ends the attachment. */
  inputMax: number;
  /** A terminal without an attachment ends after this time, unless it is pinned. */
  orphan: number;
  /** Pinned terminals of one person at once. */
  pinned: number;
  /** The longest pin. */
  longestPin: number;
}

export const DEFAULT_LIMITS: TerminalLimits = {
  terminals: 32,
  replay: 2 * 1024 * 1024,
  window: 256 * 1024,
  largestWindow: 1024 * 1024,
  readerWindow: 64 * 1024,
  behind: 512 * 1024,
  writers: 3,
  readers: 20,
  sizes: 256,
  message: 64 * 1024,
  input: 256 * 1024,
  inputMax: 4 * 1024 * 1024,
  orphan: 10 * 60_000,
  pinned: 8,
  longestPin: 30 * 86_400_000,
};

/** Reserve in the replay buffer for bytes in the kernel and the stream when a program exits while its output is paused. */
export const REPLAY_SLACK = 256 * 1024;
