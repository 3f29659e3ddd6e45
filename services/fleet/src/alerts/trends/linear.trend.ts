/** A value at a time, in seconds since 1970. */
export interface Point {
  time: number;
  value: number;
}

const LEAST_SECONDS = 24 * 3_600;
const LEAST_POINTS = 12;
/** How much of the changes a line has to explain (R²), so that a disk that fills and is emptied by turns has no trend. */
const LEAST_FIT = 0.5;

/**
 * When a growing value reaches a total if it continues as it did: by least squares, from the last value on.
 * @param points oldest first
 * @returns seconds since 1970; undefined without a trend: less than 24 hours, shrinking, or not on a line
 */
export function fullAt(points: readonly Point[], total: number): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < LEAST_POINTS || last.time - first.time < LEAST_SECONDS) return undefined;
  if (last.value >= total) return last.time;
  const time = mean(points.map((point) => point.time));
  const value = mean(points.map((point) => point.value));
  const sum = (of: (point: Point) => number) => points.reduce((total, point) => total + of(point), 0);
  const spread = sum((point) => (point.time - time) ** 2);
  const slope = sum((point) => (point.time - time) * (point.value - value)) / spread;
  if (!(slope > 0)) return undefined;
  const changes = sum((point) => (point.value - value) ** 2);
  const explained = (slope ** 2 * spread) / changes;
  return explained < LEAST_FIT ? undefined : last.time + (total - last.value) / slope;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
