import {
  ALERT_KIND_FIELDS,
  ALERT_KINDS,
  conditionIssues,
  DEFAULT_ALERT_RULES,
  hasCondition,
  spanOf,
} from '@warren/rules/alerts';
import { parseReferring } from '@warren/rules/filter/parse';
import type { AlertRule } from '../../../lib/api/types.ts';
import { alertRules as text } from '../../../lib/messages/alerts.ts';
import { daysText, spanText } from '../span.ts';

export type Kind = AlertRule['kind'];
export const KINDS: readonly Kind[] = ALERT_KINDS;

/** What a person sets of a rule. */
export type RuleContent = Pick<
  AlertRule,
  'name' | 'kind' | 'filter' | 'condition' | 'minutes' | 'days' | 'times' | 'severity' | 'enabled'
>;

/** A new rule, with the numbers that are usual for its kind. */
export const newRule = (kind: Kind): RuleContent => ({
  name: '',
  kind,
  filter: '',
  condition: '',
  minutes: ALERT_KIND_FIELDS[kind].minutes ?? 0,
  days: ALERT_KIND_FIELDS[kind].days ?? 0,
  times: ALERT_KIND_FIELDS[kind].times ?? 0,
  severity: kind === 'offline' ? 'critical' : 'warning',
  enabled: true,
});

/** The same rule of another kind. */
export const ofKind = ({ name, filter }: RuleContent, kind: Kind): RuleContent => ({ ...newRule(kind), name, filter });

/** What the hub is asked to keep: what the kind does not have is left out. */
export function bodyOf({ name, kind, filter, condition, minutes, days, times, severity, enabled }: RuleContent) {
  const has = ALERT_KIND_FIELDS[kind];
  return {
    name: name.trim(),
    kind,
    filter: filter.trim(),
    severity,
    enabled,
    ...(has.condition && { condition: condition.trim() }),
    ...(has.minutes !== undefined && { minutes }),
    ...(has.days !== undefined && { days }),
    ...(has.times !== undefined && { times }),
  };
}

/** A default rule as every account has it at first; undefined for others. */
export const defaultOf = ({ preset }: AlertRule): RuleContent | undefined =>
  DEFAULT_ALERT_RULES.find((one) => one.preset === preset);

/** Whether a rule is a default one that was changed. */
export function canReset(rule: AlertRule): boolean {
  const usual = defaultOf(rule);
  return usual !== undefined && JSON.stringify(bodyOf(usual)) !== JSON.stringify(bodyOf(rule));
}

/** Says in words when a rule opens an alert. */
export function sentenceOf({ kind, condition, minutes, days, times }: RuleContent): string {
  const span = spanText(minutes);
  switch (kind) {
    case 'offline':
      return text.summary.offline(span);
    case 'never_connected':
      return text.summary.never_connected(span);
    case 'condition':
      return minutes === 0 ? condition : text.summary.condition(condition, span);
    case 'metric':
      return text.summary.metric(condition, span);
    case 'disk_full':
      return text.summary.disk_full(daysText(days));
    case 'flapping':
      return text.summary.flapping(times, span);
    case 'update_failed':
    case 'job_failed':
      return text.summary[kind];
  }
}

type Problems = Partial<Record<'name' | 'filter' | 'condition' | 'minutes', string>>;

/** What is missing or wrong in a rule, by its field. */
export function problemsOf({ name, kind, filter, condition, minutes }: RuleContent): Problems {
  return {
    ...(name.trim() === '' && { name: text.nameMissing }),
    ...(!parseReferring(filter).ok && { filter: text.wrongFilter }),
    ...(ALERT_KIND_FIELDS[kind].minutes !== undefined && spanProblem(kind, minutes)),
    ...(hasCondition(kind) && conditionProblem(kind, condition)),
  };
}

function spanProblem(kind: Kind, minutes: number): Problems {
  const { least, most } = spanOf(kind);
  return minutes >= least && minutes <= most ? {} : { minutes: text.spanOutside(spanText(least), spanText(most)) };
}

function conditionProblem(kind: Parameters<typeof conditionIssues>[0], condition: string): Problems {
  const issues = conditionIssues(kind, condition);
  if (issues === 'missing') return { condition: text.conditionMissing };
  return issues.length === 0 ? {} : { condition: kind === 'metric' ? text.wrongExpression : text.wrongFilter };
}
