import { completeNames, type Completion } from './filter/complete.ts';
import { OPERATORS_OF, type FilterField, type Operator } from './filter/fields.ts';
import type { FilterOf, ParsedFilter } from './filter/filter.ts';
import { parseTerms, requireOperator, WrongTerm, type TermReader } from './filter/grammar.ts';
import type { Token } from './filter/tokens.ts';
import { readAs } from './filter/values.ts';

/** How the values of a metric are written, and what they are. */
type ExpressionMetric = Pick<FilterField, 'kind' | 'min' | 'max' | 'about'> & { unit: string };

const percent = (about: string): ExpressionMetric => ({ kind: 'number', min: 0, max: 100, unit: '%', about });
const rate = (about: string): ExpressionMetric => ({ kind: 'bytes', unit: 'B/s', about });

/** The metrics that an expression may name, as the API calls them. */
export const EXPRESSION_METRICS = {
  cpu: percent('CPU usage in percent'),
  memory: percent('Used memory in percent'),
  disk: percent('Usage of each disk in percent'),
  load: { kind: 'number', min: 0, max: 1_000_000, unit: '', about: '1-minute load average' },
  temperature: { kind: 'number', min: -60, max: 200, unit: '°C', about: 'Temperature in °C' },
  network_rx: rate('Received by each interface, in bytes a second'),
  network_tx: rate('Sent by each interface, in bytes a second'),
  round_trip: { kind: 'number', min: 0, max: 1_000_000, unit: 'ms', about: 'Round trip to the hub in milliseconds' },
  throttled: percent('Share of the time it was throttled, in percent'),
} as const satisfies Record<string, ExpressionMetric>;
export type MetricName = keyof typeof EXPRESSION_METRICS;

/** Aggregations of the values of the span. */
const AGGREGATES = {
  avg: 'Average',
  max: 'Highest',
  min: 'Lowest',
  change: 'Last minus first',
} as const;
type Aggregate = keyof typeof AGGREGATES;

/** A comparison of an aggregated metric. */
export interface MetricTerm {
  kind: 'metric';
  metric: MetricName;
  aggregate: Aggregate;
  operator: Operator;
  /** In the unit of the metric. */
  value: number;
  /** The term as it was written. */
  text: string;
}

/** An expression over metrics as a tree. */
export type Expression = FilterOf<MetricTerm>;

/** Bounds of the span of an expression, in minutes. */
export const EXPRESSION_SPAN = { least: 5, most: 1_440, usual: 30 } as const;

const OPERATORS = OPERATORS_OF.duration;
const EXPECTED = 'Expected a metric and how it is summed up, such as cpu.avg.';

/** Parses an expression such as `cpu.avg>80 or disk.change>5`: terms are joined as those of filters. It may be empty. */
export function parseExpression(text: string): ParsedFilter<Expression> {
  return parseTerms(text, READER);
}

const READER: TermReader<MetricTerm> = {
  called: 'An expression',
  alone: (token) => {
    throw new WrongTerm(namesOf(token.text) ? `Expected a comparison, such as ${token.text}>80.` : EXPECTED, token);
  },
  compared: (name, operator, value) => {
    const names = namesOf(name.text);
    if (!names) throw new WrongTerm(EXPECTED, name);
    requireOperator(OPERATORS, name.text, operator, name);
    return {
      kind: 'metric',
      ...names,
      operator,
      value: valueOf(names, value),
      text: name.text + operator + value.text,
    };
  },
};

type Names = Pick<MetricTerm, 'metric' | 'aggregate'>;

function namesOf(text: string): Names | undefined {
  const [metric = '', aggregate = '', ...more] = text.split('.');
  const known = Object.hasOwn(EXPRESSION_METRICS, metric) && Object.hasOwn(AGGREGATES, aggregate) && more.length === 0;
  return known ? { metric: metric as MetricName, aggregate: aggregate as Aggregate } : undefined;
}

/** A change may be negative. */
function valueOf({ metric, aggregate }: Names, { text, from, to }: Token): number {
  const field: ExpressionMetric = EXPRESSION_METRICS[metric];
  const falls = aggregate === 'change' && text.startsWith('-');
  const bounds = aggregate === 'change' ? { ...field, min: 0 } : field;
  const read = readAs(bounds, falls ? text.slice(1) : text);
  if ('expected' in read)
    throw new WrongTerm(`${metric}.${aggregate}: expected ${read.expected}, not “${text}”.`, { from, to });
  return falls ? -Number(read.value) : Number(read.value);
}

const NAMES = Object.entries(EXPRESSION_METRICS).flatMap(([metric, { about }]) =>
  Object.entries(AGGREGATES).map(([aggregate, how]) => [`${metric}.${aggregate}`, `${how}: ${about}`] as const),
);

/** Proposes completions of an expression at `caret`. */
export function completeExpression(text: string, caret: number): Completion[] {
  return completeNames(text, caret, NAMES);
}
