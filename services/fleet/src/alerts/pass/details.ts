import { timestampDate } from '@bufbuild/protobuf/wkt';
import { FILTER_FIELDS, isField, type FieldName } from '@warren/rules/filter/fields';
import type { Filter } from '@warren/rules/filter/filter';
import { parseFilter } from '@warren/rules/filter/parse';
import type { AlertRuleEntity } from '../records/rule.entity.ts';
import type { Match } from './transition.ts';

const MOST_CHARACTERS = 300;

/** What was found of a device when its alert opens. */
export interface Finding {
  detail: string;
  value: number | undefined;
}

/** Describes what was found about a device. @param known what fleet itself found */
export function findingOf(rule: AlertRuleEntity, match: Match, known: Finding | undefined): Finding {
  const { detail, value } = known ?? wordsOf(rule, match);
  return { detail: detail.slice(0, MOST_CHARACTERS).toWellFormed(), value };
}

function wordsOf(rule: AlertRuleEntity, match: Match): Finding {
  const { value } = match;
  switch (rule.kind) {
    case 'offline':
      return { detail: `Disconnected since ${timeText(match)}.`, value: undefined };
    case 'never_connected':
      return { detail: `Enrolled ${timeText(match)}, never connected.`, value: undefined };
    case 'flapping':
      return { detail: `The link broke ${value ?? 0} times within ${rule.minutes} minutes.`, value };
    case 'update_failed':
      return { detail: `The update to ${match.detail || 'a new version failed.'}`, value: undefined };
    case 'job_failed':
      return { detail: `A bulk job failed: ${match.detail}`, value: undefined };
    case 'disk_full':
    case 'metric':
      return { detail: '', value: undefined };
    case 'condition':
      return { detail: value === undefined ? rule.condition : measured(rule.condition, match.detail, value), value };
  }
}

const timeText = ({ since }: Match) =>
  `${(since ? timestampDate(since) : new Date(0)).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const UNITS: Partial<Record<FieldName, string>> = { cpu: '%', memory: '%', disk: '%', temperature: '°C' };

/** @param where what belongs to the value in words, such as the disk that it is of */
function measured(condition: string, where: string, value: number): string {
  const parsed = parseFilter(condition);
  const field = parsed.ok ? numberIn(parsed.filter) : undefined;
  if (!field) return condition;
  return [field, 'is', ...valueText(field, value), ...(where ? [where] : []), `(${condition})`].join(' ');
}

function valueText(field: FieldName, value: number): (string | number)[] {
  if (FILTER_FIELDS[field].kind === 'duration') return spanText(value);
  const unit = UNITS[field];
  return [Math.round(value * 10) / 10, ...(unit ? [unit] : [])];
}

const SPANS: readonly [seconds: number, unit: string][] = [
  [86_400, 'days'],
  [3_600, 'h'],
  [60, 'min'],
];

/** In the largest unit of which there are two. */
function spanText(seconds: number): [number, string] {
  const [size, unit] = SPANS.find(([size]) => seconds >= 2 * size) ?? [1, 's'];
  return [Math.round(seconds / size), unit];
}

const NUMBER_KINDS: ReadonlySet<string> = new Set(['number', 'bytes', 'duration']);

/** The first field of numbers that a filter compares, as the devices service takes its value. */
function numberIn(filter: Filter): FieldName | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.map(numberIn).find((field) => field !== undefined);
    case 'field':
      return isField(filter.field) && NUMBER_KINDS.has(FILTER_FIELDS[filter.field].kind) ? filter.field : undefined;
    default:
      return undefined;
  }
}
