import { parseFilter } from '@warren/rules/filter/parse';
import type { AlertRule } from '../../../lib/api/generated/alerts.ts';
import { alertRules as text } from '../../../lib/messages/alerts.ts';
import { daysText, spanText } from '../span.ts';

export type Kind = AlertRule['kind'];
export const KINDS = Object.keys(text.kinds) as Kind[];

/** What a person sets of a rule. */
export type RuleContent = Pick<
  AlertRule,
  'name' | 'kind' | 'filter' | 'condition' | 'minutes' | 'days' | 'times' | 'severity' | 'enabled'
>;

/** What a new rule of a kind begins with. */
const USUAL: Record<Kind, Partial<RuleContent>> = {
  offline: { minutes: 10, severity: 'critical' },
  never_connected: { minutes: 1_440, severity: 'info' },
  condition: { minutes: 10 },
  disk_full: { days: 7 },
  flapping: { times: 5, minutes: 60 },
  update_failed: {},
};

export const newRule = (kind: Kind): RuleContent => ({
  name: '',
  kind,
  filter: '',
  condition: '',
  minutes: 0,
  days: 0,
  times: 0,
  severity: 'warning',
  enabled: true,
  ...USUAL[kind],
});

/** The same rule of another kind, with the times that are usual for it. */
export const ofKind = ({ name, filter, enabled }: RuleContent, kind: Kind): RuleContent => ({
  ...newRule(kind),
  name,
  filter,
  enabled,
});

export const contentOf = ({ name, kind, filter, condition, minutes, days, times, severity, enabled }: AlertRule) => ({
  name,
  kind,
  filter,
  condition,
  minutes,
  days,
  times,
  severity,
  enabled,
});

/** Says in words when a rule opens an alert. */
export function sentenceOf({ kind, condition, minutes, days, times }: RuleContent): string {
  const span = spanText(minutes);
  switch (kind) {
    case 'offline':
      return text.summary.offline(span);
    case 'never_connected':
      return text.summary.never_connected(span);
    case 'condition':
      return text.summary.condition(condition, span);
    case 'disk_full':
      return text.summary.disk_full(daysText(days));
    case 'flapping':
      return text.summary.flapping(times, span);
    case 'update_failed':
      return text.summary.update_failed;
  }
}

type Problems = Partial<Record<'name' | 'filter' | 'condition', string>>;

/** What is missing or wrong in a rule, by its field. */
export function problemsOf({ name, kind, filter, condition }: RuleContent): Problems {
  return {
    ...(name.trim() === '' && { name: text.nameMissing }),
    ...(!parseFilter(filter).ok && { filter: text.wrongFilter }),
    ...(kind === 'condition' && conditionProblem(condition)),
  };
}

function conditionProblem(condition: string): Problems {
  if (condition.trim() === '') return { condition: text.conditionMissing };
  return parseFilter(condition).ok ? {} : { condition: text.wrongFilter };
}
