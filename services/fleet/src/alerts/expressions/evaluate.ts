import { Metric } from '@warren/proto/fleet/v1/metrics';
import { EXPRESSION_METRICS, type Expression, type MetricName, type MetricTerm } from '@warren/rules/expressions';
import { orders } from '@warren/rules/filter/match';
import type { Column, Series } from '../../series/series.ts';

/** Metrics by their names in expressions. */
const METRICS: Readonly<Record<MetricName, Metric>> = {
  cpu: Metric.CPU,
  memory: Metric.MEMORY,
  disk: Metric.DISK,
  load: Metric.LOAD,
  temperature: Metric.TEMPERATURE,
  network_rx: Metric.NETWORK_RX,
  network_tx: Metric.NETWORK_TX,
  round_trip: Metric.ROUND_TRIP,
  throttled: Metric.THROTTLED,
};

/** The span of an expression and the step of its points, in seconds. */
export interface Span {
  seconds: number;
  step: number;
}

/** The measurement behind a term that holds. */
export interface Measured {
  term: MetricTerm;
  value: number;
  /** The disk or interface; empty for a metric of the device. */
  instance: string;
}

/** Whether an expression holds: `undefined` if not enough was measured to say. */
export interface Outcome {
  holds: boolean | undefined;
  /** Of the first term that holds. */
  measured: Measured | undefined;
}

/** The metrics that an expression names. */
export function metricsOf(expression: Expression): Metric[] {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.terms.flatMap(metricsOf);
    case 'not':
      return metricsOf(expression.term);
    case 'metric':
      return [METRICS[expression.metric]];
  }
}

/**
 * Evaluates an expression over the points of a series. A term over disks or interfaces holds if it does for any of them. An unknown term
 * decides neither `and` nor `or`, and stays unknown under `not`.
 * @param span of the series; a metric that covers less than half of it is unknown
 */
export function evaluate(expression: Expression, series: Series, span: Span): Outcome {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return joined(
        expression.terms.map((term) => evaluate(term, series, span)),
        expression.kind === 'or',
      );
    case 'not': {
      const { holds } = evaluate(expression.term, series, span);
      return { holds: holds === undefined ? undefined : !holds, measured: undefined };
    }
    case 'metric':
      return measure(expression, series, span);
  }
}

/** @param decisive the outcome that decides alone: true for `or`, false for `and` */
function joined(outcomes: readonly Outcome[], decisive: boolean): Outcome {
  const measured = outcomes.find((one) => one.holds && one.measured)?.measured;
  if (outcomes.some(({ holds }) => holds === decisive)) return { holds: decisive, measured };
  return { holds: outcomes.some(({ holds }) => holds === undefined) ? undefined : !decisive, measured };
}

function measure(term: MetricTerm, series: Series, span: Span): Outcome {
  const found = series.columns
    .filter(({ metric }) => metric === METRICS[term.metric])
    .flatMap((column) => {
      const value = valueOf(term, column, { series, span });
      return value === undefined ? [] : [{ term, value, instance: column.instance }];
    });
  const rises = term.operator.startsWith('>');
  const [most] = found.sort((a, b) => (rises ? b.value - a.value : a.value - b.value));
  if (!most) return { holds: undefined, measured: undefined };
  const holds = orders(term.operator, most.value - term.value);
  return { holds, measured: holds ? most : undefined };
}

/** What the points of a column are together, in its unit. Without points, `first` is -1. */
interface Summary {
  /** Places of the first and the last point with a value. */
  first: number;
  last: number;
  average: number;
  max: number;
  min: number;
}

/** Terms of many rules are about the same columns, which may have hundreds of points: each is summed up once. */
const summaries = new WeakMap<Column, Summary>();

function summaryOf(column: Column, counts: readonly number[]): Summary {
  const known = summaries.get(column);
  if (known) return known;
  const summary: Summary = { first: -1, last: -1, average: Number.NaN, max: -Infinity, min: Infinity };
  let [sum, weight] = [0, 0];
  for (const [at, value] of column.average.entries()) {
    if (Number.isNaN(value)) continue;
    if (summary.first < 0) summary.first = at;
    summary.last = at;
    const count = counts[at] ?? 1;
    sum += value * count;
    weight += count;
    summary.max = Math.max(summary.max, keptOr(column.max[at], value));
    summary.min = Math.min(summary.min, keptOr(column.min[at], value));
  }
  summary.average = sum / weight;
  summaries.set(column, summary);
  return summary;
}

/** The extreme of a point; its average where none is kept. */
const keptOr = (extreme: number | undefined, average: number) =>
  extreme === undefined || Number.isNaN(extreme) ? average : extreme;

function valueOf(
  { metric, aggregate }: MetricTerm,
  column: Column,
  { series: { times, counts }, span }: { series: Series; span: Span },
): number | undefined {
  const scale = scaleOf(metric, column);
  const { first, last, average, max, min } = summaryOf(column, counts);
  if (scale === undefined || first < 0) return undefined;
  if ((times[last] ?? 0) - (times[first] ?? 0) + span.step < span.seconds / 2) return undefined;
  const change = (column.average[last] ?? 0) - (column.average[first] ?? 0);
  return scale * { avg: average, max, min, change }[aggregate];
}

/** What a value of a column is multiplied with; undefined if it can't be said. */
function scaleOf(metric: MetricName, { total }: Column): number | undefined {
  if (metric === 'throttled') return 100;
  if (metric !== 'memory' && metric !== 'disk') return 1;
  return total > 0 ? 100 / total : undefined;
}

const RATES: readonly [size: number, unit: string][] = [
  [1e9, 'GB/s'],
  [1e6, 'MB/s'],
  [1e3, 'kB/s'],
];

/** Says what was measured: `cpu.avg was 83.2 % over 30 minutes (cpu.avg>80)`. */
export function measuredText({ term, value, instance }: Measured, minutes: number): string {
  const { metric, aggregate, text } = term;
  const where = instance === '' ? '' : ` on ${instance}`;
  return `${metric}.${aggregate} was ${amountText(metric, value)}${where} over ${minutes} minutes (${text})`;
}

function amountText(metric: MetricName, value: number): string {
  const { unit, kind } = EXPRESSION_METRICS[metric];
  const [size, shown] = (kind === 'bytes' && RATES.find(([least]) => Math.abs(value) >= least)) || [1, unit];
  const rounded = Math.round((value / size) * 10) / 10;
  return shown === '' ? String(rounded) : `${rounded} ${shown}`;
}
