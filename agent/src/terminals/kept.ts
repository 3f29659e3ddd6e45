import type { PtySize } from '../system/pty.ts';

/** A terminal that an earlier agent opened. */
export interface KeptState {
  /** Milliseconds since 1970. */
  startedAt: number;
  size: PtySize;
  /** Offsets in the output: the oldest byte that is kept, and the first one that no writer has drawn. */
  start: number;
  seen: number;
  /** Bytes typed by each writer, the latest last. */
  typed: [writer: string, count: number][];
}

/** The state of a new terminal, which has no size yet. */
export const NEW: KeptState = { startedAt: 0, size: { cols: 0, rows: 0 }, start: 0, seen: 0, typed: [] };
