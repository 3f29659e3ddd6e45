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

interface Place {
  at: number;
  value: number;
}

function valueOf(
  { metric, aggregate }: MetricTerm,
  column: Column,
  { series: { times, counts }, span }: { series: Series; span: Span },
): number | undefined {
  const scale = scaleOf(metric, column);
  const places = column.average.flatMap((value, at) => (Number.isNaN(value) ? [] : [{ at, value }]));
  const [first, last] = [places[0], places.at(-1)];
  if (scale === undefined || !first || !last) return undefined;
  if ((times[last.at] ?? 0) - (times[first.at] ?? 0) + span.step < span.seconds / 2) return undefined;
  switch (aggregate) {
    case 'avg':
      return scale * average(places, counts);
    case 'max':
      return scale * Math.max(...valuesOf(places, column.max));
    case 'min':
      return scale * Math.min(...valuesOf(places, column.min));
    case 'change':
      return scale * (last.value - first.value);
  }
}

/** The factor for values of a column; undefined if unknown. */
function scaleOf(metric: MetricName, { total }: Column): number | undefined {
  if (metric === 'throttled') return 100;
  if (metric !== 'memory' && metric !== 'disk') return 1;
  return total > 0 ? 100 / total : undefined;
}

function average(places: readonly Place[], counts: readonly number[]): number {
  const weights = places.map(({ at }) => counts[at] ?? 1);
  const sum = places.reduce((total, { value }, index) => total + value * (weights[index] ?? 1), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

/** The highest or lowest values of points; their averages where these are not kept. */
const valuesOf = (places: readonly Place[], kept: readonly number[]) =>
  places.map(({ at, value }) => {
    const extreme = kept[at];
    return extreme === undefined || Number.isNaN(extreme) ? value : extreme;
  });

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
