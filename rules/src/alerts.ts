import { z } from 'zod';
import { EXPRESSION_SPAN, parseExpression } from './expressions.ts';
import { deviceText } from './facts.ts';
import { FILTER_LIMITS } from './filter/filter.ts';
import { parseFilter } from './filter/parse.ts';
import { grammarIssues, referringFilterText } from './filter/saved.ts';

export const ALERT_KINDS = [
  'offline',
  'never_connected',
  'condition',
  'metric',
  'disk_full',
  'flapping',
  'update_failed',
  'job_failed',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Most severe first. */
export const ALERT_SEVERITIES = ['critical', 'warning', 'info'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** Bounds: of an account, of a call, and in characters. */
export const ALERT_LIMITS = {
  rules: 50,
  silences: 100,
  acknowledged: 1_000,
  name: 64,
  note: 1_000,
  reason: 200,
  /** How long a silence lasts at most, in days. */
  silenceDays: 366,
} as const;

const DAY_MINUTES = 1_440;
const MOST_MINUTES = 30 * DAY_MINUTES;

/** What a kind of rule has besides filter and severity: each with its default. */
export const ALERT_KIND_FIELDS: Readonly<
  Record<AlertKind, { minutes?: number; days?: number; times?: number; condition?: true }>
> = {
  offline: { minutes: 10 },
  never_connected: { minutes: DAY_MINUTES },
  condition: { minutes: 10, condition: true },
  metric: { minutes: EXPRESSION_SPAN.usual, condition: true },
  disk_full: { days: 7 },
  flapping: { minutes: 60, times: 5 },
  update_failed: {},
  job_failed: {},
};

/** How the condition of a kind is read. */
const CONDITIONS = {
  condition: { parse: parseFilter, example: 'disk>90' },
  metric: { parse: parseExpression, example: 'cpu.avg>80' },
} as const;

type ConditionKind = keyof typeof CONDITIONS;

/** Tells whether a kind of rule has a condition. */
export const hasCondition = (kind: AlertKind): kind is ConditionKind => Object.hasOwn(CONDITIONS, kind);

/** What is wrong with the condition of a kind, with its place. @returns `missing` if there is none */
export function conditionIssues(kind: ConditionKind, condition: string): 'missing' | string[] {
  return condition.trim() === '' ? 'missing' : grammarIssues(CONDITIONS[kind].parse(condition));
}

const within = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

/** The fields of a rule that people set. */
export const alertRuleFields = {
  name: deviceText(ALERT_LIMITS.name).trim().min(1, 'expected a name'),
  kind: z.enum(ALERT_KINDS),
  filter: referringFilterText.describe(
    'Which devices, see docs/filters.md; it may name saved filters of the account. If empty, all of the account.',
  ),
  condition: z
    .string()
    .max(FILTER_LIMITS.text, `expected at most ${FILTER_LIMITS.text} characters`)
    .describe(
      'Of the kind condition: what holds, by the same grammar without saved filters. Of the kind metric: what held over the span, such as cpu.avg>80, see docs/alerts.md.',
    ),
  minutes: within(0, MOST_MINUTES).describe(
    'How long it is disconnected, or was never connected, or the condition holds; of the kinds flapping and metric, the span that is looked at.',
  ),
  days: within(1, 90).describe('Of the kind disk_full: within how many days a disk is full.'),
  times: within(2, 1_000).describe('Of the kind flapping: how often the link breaks.'),
  severity: z.enum(ALERT_SEVERITIES),
  enabled: z.boolean(),
};

/** Bounds of the minutes of a kind. Devices are evaluated by the minute; a condition may hold at once. */
export function spanOf(kind: AlertKind): { least: number; most: number } {
  if (kind === 'metric') return EXPRESSION_SPAN;
  return { least: kind === 'condition' ? 0 : 1, most: MOST_MINUTES };
}

/** A whole rule, without what its kind does not have. */
export const alertRuleSchema = z
  .object({
    ...alertRuleFields,
    filter: alertRuleFields.filter.default(''),
    condition: alertRuleFields.condition.default(''),
    minutes: alertRuleFields.minutes.optional(),
    days: alertRuleFields.days.optional(),
    times: alertRuleFields.times.optional(),
    severity: alertRuleFields.severity.default('warning'),
    enabled: alertRuleFields.enabled.default(true),
  })
  .superRefine(({ kind, condition, minutes }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (hasCondition(kind)) {
      const issues = conditionIssues(kind, condition);
      const missing = [`expected a condition such as ${CONDITIONS[kind].example}`];
      for (const message of issues === 'missing' ? missing : issues) issue('condition', message);
    }
    const { least, most } = spanOf(kind);
    if (minutes !== undefined && ALERT_KIND_FIELDS[kind].minutes !== undefined && (minutes < least || minutes > most))
      issue('minutes', `expected ${least} to ${most}`);
  })
  .transform((rule) => {
    const has = ALERT_KIND_FIELDS[rule.kind];
    return {
      ...rule,
      condition: has.condition ? rule.condition.trim() : '',
      minutes: has.minutes === undefined ? 0 : (rule.minutes ?? has.minutes),
      days: has.days === undefined ? 0 : (rule.days ?? has.days),
      times: has.times === undefined ? 0 : (rule.times ?? has.times),
    };
  });
export type AlertRuleContent = z.output<typeof alertRuleSchema>;

/** The note of who acknowledges alerts. */
export const alertNote = z
  .string()
  .max(ALERT_LIMITS.note, `expected at most ${ALERT_LIMITS.note} characters`)
  .refine((text) => !text.includes('\0'), 'expected no NUL character');

/** Why alerts are silenced. */
export const silenceReason = deviceText(ALERT_LIMITS.reason).trim().min(1, 'expected a reason');

/** A default rule; `preset` is what it is known by, whatever people call it. */
export type DefaultAlertRule = AlertRuleContent & { preset: string };

const rule = (preset: string, content: z.input<typeof alertRuleSchema>): DefaultAlertRule => ({
  preset,
  ...alertRuleSchema.parse(content),
});

/** The rules that every account has. */
export const DEFAULT_ALERT_RULES: readonly DefaultAlertRule[] = [
  rule('offline', { name: 'Offline', kind: 'offline', severity: 'critical' }),
  rule('disk', { name: 'Disk usage over 90 %', kind: 'condition', condition: 'disk>90' }),
  rule('disk_full', { name: 'Disk full within 7 days', kind: 'disk_full' }),
  rule('memory', { name: 'Memory usage over 95 %', kind: 'condition', condition: 'memory>95', minutes: 15 }),
  rule('temperature', { name: 'Hotter than 80 °C', kind: 'condition', condition: 'temperature>80' }),
  rule('throttled', { name: 'Throttled', kind: 'condition', condition: 'throttled=yes' }),
  rule('clock', { name: 'Clock off by more than 60 s', kind: 'condition', condition: 'clock>60s' }),
  rule('flapping', { name: 'Link keeps breaking', kind: 'flapping' }),
  rule('update_failed', { name: 'Agent update failed', kind: 'update_failed' }),
  rule('job_failed', { name: 'Bulk job failed', kind: 'job_failed' }),
  rule('never_connected', { name: 'Never connected', kind: 'never_connected', severity: 'info' }),
];
