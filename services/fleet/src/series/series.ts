import type { Metric } from '@warren/proto/fleet/v1/metrics';
import { kindOf } from './metrics.ts';

/** One metric of a device: a value for each time of its series, NaN if there is none. */
export interface Column {
  metric: Metric;
  /** Mount point or interface; empty for what a device has one of. */
  instance: string;
  /** Size of the memory or disk; 0 for other metrics. */
  total: number;
  average: number[];
  /** Of samples within a point; empty for single samples and for metrics without. */
  max: number[];
  min: number[];
}

/** Points of a device, oldest first, each time once. */
export interface Series {
  /** Seconds since 1970. */
  times: number[];
  /** Samples in each point. */
  counts: number[];
  columns: Column[];
}

/** Names of disks, and of interfaces, that a series may hold: a device can't make it grow without bound. */
const MOST_INSTANCES = 48;

export const emptySeries = (): Series => ({ times: [], counts: [], columns: [] });

const keyOf = ({ metric, instance }: Pick<Column, 'metric' | 'instance'>) => `${metric} ${instance}`;

/** Finds or makes columns of a series under construction, NaN throughout. */
export class ColumnSet {
  readonly columns: Column[] = [];
  private readonly byKey = new Map<string, Column>();
  private readonly instances = new Map<Metric, number>();

  /** @param reduced whether points are of several samples */
  constructor(
    private readonly length: number,
    private readonly reduced: boolean,
  ) {}

  /** @returns undefined if the metric is unknown or has too many instances */
  of(wanted: Pick<Column, 'metric' | 'instance'>): Column | undefined {
    return this.byKey.get(keyOf(wanted)) ?? this.add(wanted);
  }

  private add({ metric, instance }: Pick<Column, 'metric' | 'instance'>): Column | undefined {
    const kind = kindOf(metric);
    const before = this.instances.get(metric) ?? 0;
    if (!kind || before >= MOST_INSTANCES) return undefined;
    const empty = (there: boolean | undefined) =>
      there ? new Array<number>(this.length).fill(Number.NaN) : new Array<number>();
    const column = {
      metric,
      instance,
      total: 0,
      average: empty(true),
      max: empty(this.reduced && kind.max),
      min: empty(this.reduced && kind.min),
    };
    this.instances.set(metric, before + 1);
    this.byKey.set(keyOf(column), column);
    this.columns.push(column);
    return column;
  }
}

/**
 * Sums samples or points up to coarser points.
 * @param step seconds; points begin at its multiples since 1970
 */
export function reduce(series: Series, step: number): Series {
  const times: number[] = [];
  const counts: number[] = [];
  const places = series.times.map((time, at) => {
    const start = time - (time % step);
    if (times.at(-1) !== start) {
      times.push(start);
      counts.push(0);
    }
    const place = times.length - 1;
    counts[place] = (counts[place] ?? 0) + (series.counts[at] ?? 1);
    return place;
  });
  const set = new ColumnSet(times.length, true);
  for (const column of series.columns) {
    const to = set.of(column);
    if (to) reduceColumn(column, to, series.counts, places);
  }
  return { times, counts, columns: set.columns };
}

function reduceColumn(from: Column, to: Column, counts: readonly number[], places: readonly number[]): void {
  const weights = new Array<number>(to.average.length).fill(0);
  const sums = [...weights];
  for (const [at, value] of from.average.entries()) {
    const place = places[at] ?? 0;
    if (Number.isNaN(value)) continue;
    const weight = counts[at] ?? 1;
    sums[place] = (sums[place] ?? 0) + value * weight;
    weights[place] = (weights[place] ?? 0) + weight;
    widen(Math.max, to.max, place, from.max[at] ?? value);
    widen(Math.min, to.min, place, from.min[at] ?? value);
  }
  // Without a value 0 / 0, which is NaN.
  for (const [place, weight] of weights.entries()) to.average[place] = (sums[place] ?? 0) / weight;
  to.total = from.total;
}

function widen(choose: (a: number, b: number) => number, values: number[], place: number, value: number): void {
  const present = values[place];
  if (present === undefined || Number.isNaN(value)) return;
  values[place] = Number.isNaN(present) ? value : choose(present, value);
}

/** Joins series of the same step; a time that is in several has the points of the last of them. */
export function union(...all: readonly Series[]): Series {
  const parts = all.filter(({ times }) => times.length > 0);
  if (parts.length < 2) return parts[0] ?? emptySeries();
  const ordered = parts.toSorted((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0));
  return areApart(ordered) ? concatenated(ordered) : interleaved(parts);
}

const areApart = (ordered: readonly Series[]): boolean =>
  ordered.every(({ times }, at) => at === 0 || (ordered[at - 1]?.times.at(-1) ?? 0) < (times[0] ?? 0));

const isReduced = ({ columns }: Series): boolean => columns.some(({ max }) => max.length > 0);

/** Joins series of which each ends before the next begins, as stored ones do. */
function concatenated(parts: readonly Series[]): Series {
  const times = parts.flatMap((part) => part.times);
  const set = new ColumnSet(times.length, parts.some(isReduced));
  let place = 0;
  for (const part of parts) {
    for (const column of part.columns) append(column, set.of(column), place);
    place += part.times.length;
  }
  return { times, counts: parts.flatMap((part) => part.counts), columns: set.columns };
}

function append(from: Column, to: Column | undefined, place: number): void {
  if (!to) return;
  for (const name of ['average', 'max', 'min'] as const) {
    if (to[name].length === 0) continue;
    const values = from[name];
    for (let at = 0; at < values.length; at++) to[name][place + at] = values[at] ?? Number.NaN;
  }
  to.total = from.total || to.total;
}

function interleaved(parts: readonly Series[]): Series {
  const times = [...new Set(parts.flatMap((part) => part.times))].sort((a, b) => a - b);
  const placed = parts.map((part) => placesIn(times, part.times));
  const owners = new Array<Series | undefined>(times.length);
  for (const [at, part] of parts.entries()) for (const place of placed[at] ?? []) owners[place] = part;
  const counts = new Array<number>(times.length).fill(1);
  const set = new ColumnSet(times.length, parts.some(isReduced));
  for (const [at, part] of parts.entries()) {
    const places = placed[at] ?? [];
    // A time of a later part has nothing of this one.
    const own = places.map((place) => (owners[place] === part ? place : undefined));
    for (const column of part.columns) copy(column, set.of(column), own);
    put(part.counts, counts, own);
  }
  return { times, counts, columns: set.columns };
}

/** Where the times of a part are in those of all; both are in order. */
function placesIn(all: readonly number[], times: readonly number[]): number[] {
  let place = 0;
  return times.map((time) => {
    while ((all[place] ?? time) < time) place++;
    return place;
  });
}

function copy(from: Column, to: Column | undefined, places: readonly (number | undefined)[]): void {
  if (!to) return;
  for (const name of ['average', 'max', 'min'] as const) {
    if (from[name].length > 0 && to[name].length > 0) put(from[name], to[name], places);
  }
  to.total = from.total || to.total;
}

function put(from: readonly number[], to: number[], places: readonly (number | undefined)[]): void {
  for (let at = 0; at < places.length; at++) {
    const place = places[at];
    if (place !== undefined) to[place] = from[at] ?? Number.NaN;
  }
}

/** The points from `from` on, before `to`. */
export function within(series: Series, from: number, to: number): Series {
  return filtered(series, (time) => time >= from && time < to);
}

/** The points that are not in one of the spans, which begin at these multiples of their length. */
export function without(series: Series, starts: ReadonlySet<number>, length: number): Series {
  return filtered(series, (time) => !starts.has(time - (time % length)));
}

function filtered({ times, counts, columns }: Series, keeps: (time: number) => boolean): Series {
  const places = times.flatMap((time, at) => (keeps(time) ? [at] : []));
  if (places.length === times.length) return { times, counts, columns };
  const pick = (values: readonly number[]) => (values.length > 0 ? places.map((at) => values[at] ?? Number.NaN) : []);
  return {
    times: pick(times),
    counts: pick(counts),
    columns: columns
      .map((column) => ({ ...column, average: pick(column.average), max: pick(column.max), min: pick(column.min) }))
      .filter(({ average }) => average.some((value) => !Number.isNaN(value))),
  };
}
