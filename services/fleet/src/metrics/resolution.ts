import { spanStart } from '../store/partitions.ts';

/** Points of a series in an answer. */
export const MOST_POINTS = 750;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Steps of points in answers, in seconds. */
const NICE = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14].map((days) => days * DAY),
];

/** The grid of an answer. */
export interface Grid {
  /** Seconds since 1970, a multiple of the step. */
  start: number;
  step: number;
  points: number;
}

/**
 * Chooses the finest step that the span allows and that is kept that long: minutes for 2 days, 5 minutes for 30, then hours.
 * @param from seconds since 1970
 * @param to after `from`
 */
export function gridOf(from: number, to: number, now: Date): Grid {
  const kept = (days: number) => from >= spanStart(now, 'day', -days).getTime() / 1_000;
  const finest = kept(2) ? MINUTE : kept(30) ? 5 * MINUTE : HOUR;
  for (const step of NICE) {
    const start = from - (from % step);
    const points = Math.ceil((to - start) / step);
    if (step >= finest && (step < 5 * MINUTE || step % (5 * MINUTE) === 0) && points <= MOST_POINTS)
      return { start, step, points };
  }
  const step = Math.ceil((to - from) / (MOST_POINTS - 1) / DAY) * DAY;
  const start = from - (from % step);
  return { start, step, points: Math.ceil((to - start) / step) };
}
