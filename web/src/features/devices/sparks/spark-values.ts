import type { MetricSeries } from '../../../lib/api/types.ts';
import { share } from '../../../lib/format.ts';

/** Columns with the last day of a metric. */
export const SPARKS = { cpuDay: 'cpu', memoryDay: 'memory', diskDay: 'disk' } as const;
export type SparkColumn = keyof typeof SPARKS;

export const isSpark = (id: string): id is SparkColumn => Object.hasOwn(SPARKS, id);

/** Values in percent, oldest first; null where nothing was measured. */
export type SparkValues = readonly (number | null)[];

const lastOf = (values: SparkValues) => values.findLast((value) => value !== null) ?? null;

/** Returns the values of a column in percent: of several disks, those of the fullest now. Undefined if nothing was measured. */
export function sparkValues(column: SparkColumn, series: readonly MetricSeries[]): SparkValues | undefined {
  const candidates = series
    .filter(({ name }) => name === SPARKS[column])
    .map(({ values, total }) =>
      column === 'cpuDay' ? values : values.map((value) => (value === null || !total ? null : share(value, total))),
    )
    .filter((values) => lastOf(values) !== null);
  return candidates.sort((a, b) => (lastOf(b) ?? 0) - (lastOf(a) ?? 0))[0];
}

/** The last, the least and the greatest value. */
export function rangeOf(values: SparkValues): { last: number; least: number; most: number } {
  const known = values.filter((value) => value !== null);
  return { last: known.at(-1) ?? 0, least: Math.min(...known), most: Math.max(...known) };
}

/**
 * Draws values from 0 to 100 as the `d` of an SVG path. Gaps in the values are gaps in the line; a value between two gaps is a short stroke.
 * @param size of the picture in units of its view box
 */
export function sparkPath(values: SparkValues, { width, height }: { width: number; height: number }): string {
  const step = width / Math.max(1, values.length - 1);
  const round = (value: number) => Math.round(value * 10) / 10;
  const parts: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const [x, y] = [round(index * step), round(height - (Math.min(100, Math.max(0, value)) / 100) * height)];
    const begins = (values[index - 1] ?? null) === null;
    parts.push(begins ? `M${x} ${y}` : `L${x} ${y}`);
    if (begins && (values[index + 1] ?? null) === null) parts.push('h1');
  }
  return parts.join('');
}
