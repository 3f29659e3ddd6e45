import type { Speed } from './clock.ts';

/**
 * `loading`: what is to be drawn has not arrived. `waiting`: everything is drawn, and the session is live. `failed`: it can be tried again.
 */
export type PlayerStatus = 'loading' | 'playing' | 'paused' | 'waiting' | 'ended' | 'failed';

/** The state of a player; a new object at each change. */
export interface PlayerState {
  status: PlayerStatus;
  /** It plays, or will once it can. */
  plays: boolean;
  positionMs: number;
  durationMs: number;
  speed: Speed;
  skipsIdle: boolean;
  /** Stays at the end of a live session. */
  follows: boolean;
  /** How much is drawn of what a seek has to draw, from 0 to 1; null while that is soon. */
  progress: number | null;
  /** Why something could not be read. */
  error: unknown;
}

export const NOT_OPEN: PlayerState = {
  status: 'loading',
  plays: false,
  positionMs: 0,
  durationMs: 0,
  speed: 1,
  skipsIdle: true,
  follows: false,
  progress: null,
  error: undefined,
};
