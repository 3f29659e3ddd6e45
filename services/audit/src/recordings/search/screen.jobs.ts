import type { Size } from '@warren/rules/recordings/frames';
import type { Line, Snapshot } from './screen.ts';

/** What the worker is asked; `screen` names one of the screens that it has. */
export type ScreenJob = { id: number; screen: string } & (
  | { kind: 'open'; size: Size; wanted: { lines: boolean; snapshots: boolean }; from?: Snapshot }
  /** `quiet`: draw only, what appears is known. */
  | { kind: 'draw'; events: Uint8Array; fromMs: number; offset: number; skipTo: number; quiet: boolean }
  /** The session is over: what stands on the cursor's line counts, too. */
  | { kind: 'end' }
  | { kind: 'drop' }
);

/** What a job gave. */
export interface Drawn {
  lines: Line[];
  snapshots: Snapshot[];
}

export type ScreenAnswer = { id: number } & ({ drawn: Drawn } | { error: string });

/** Lines of one job; a chunk of empty screens can't have more than it has bytes. */
export const MOST_LINES = 50_000;
