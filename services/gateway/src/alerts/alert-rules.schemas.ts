import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AlertRule, AlertRuleContentSchema } from '@warren/proto/fleet/v1/alerts';
import { ALERT_KINDS, ALERT_SEVERITIES, alertRuleFields } from '@warren/rules/alerts';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { kindName, kindNumber, severityName, severityNumber } from './alert.names.ts';
import { FLEET } from '../http/example.fleet.ts';

const { name, kind, filter, condition, minutes, days, times, severity, enabled } = alertRuleFields;

/** What a rule looks for. What its kind does not have is left out of it; what is absent is the default of the kind. */
const soughtFields = {
  kind,
  filter: filter.optional(),
  condition: condition.optional(),
  minutes: minutes.optional(),
  days: days.optional(),
  times: times.optional(),
};

const EXAMPLE = {
  name: 'Hot in the north',
  kind: 'condition',
  filter: 'site=north',
  condition: 'temperature>70',
} as const;

export const createRuleBody = z
  .object({
    account: idSchema.describe('The account whose devices it is about.'),
    name: name.describe('For people.'),
    ...soughtFields,
    severity: severity.optional().describe('If absent, warning.'),
    enabled: enabled.optional().describe('If absent, true.'),
  })
  .meta({
    id: 'CreateAlertRule',
    examples: [{ account: FLEET.account.id, ...EXAMPLE, minutes: 10, severity: 'warning' }],
  });
export type CreateRuleBody = z.output<typeof createRuleBody>;

export const changeRuleBody = z
  .object({
    name: name.optional(),
    ...soughtFields,
    kind: kind.optional().describe('Of default rules it stays.'),
    severity: severity.optional(),
    enabled: enabled.optional(),
  })
  .meta({ id: 'ChangeAlertRule', examples: [{ minutes: 30, severity: 'critical' }] });
export type ChangeRuleBody = z.output<typeof changeRuleBody>;

export const previewRuleBody = z.object({ account: idSchema, ...soughtFields }).meta({
  id: 'PreviewAlertRule',
  examples: [{ account: FLEET.account.id, kind: 'condition', filter: '', condition: 'disk>90' }],
});
export type PreviewRuleBody = z.output<typeof previewRuleBody>;

export const rulePreviewSchema = z
  .object({
    matching: z.int().describe('Devices that the filter finds.'),
    now: z
      .int()
      .optional()
      .describe(
        'Of these, devices for which the condition holds now, regardless of its duration. Absent for the kind metric if more than 500 devices of the account report, or other previews are being counted.',
      ),
  })
  .meta({ id: 'AlertRulePreview', examples: [{ matching: 120, now: 3 }] });

const ruleSchema = z
  .object({
    id: idSchema,
    accountId: idSchema,
    accountName: z.string(),
    name: z.string(),
    kind: z.enum(ALERT_KINDS),
    filter: z.string().describe('By the grammar of docs/filters.md. If empty, all devices of the account.'),
    condition: z.string(),
    minutes: z.int(),
    days: z.int(),
    times: z.int(),
    severity: z.enum(ALERT_SEVERITIES),
    enabled: z.boolean(),
    preset: z
      .string()
      .nullable()
      .describe('The name of a default rule, which can be disabled, not deleted; null for others.'),
    openAlerts: z.int(),
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({
    id: 'AlertRule',
    examples: [
      {
        id: FLEET.id,
        accountId: FLEET.account.id,
        accountName: FLEET.account.name,
        ...EXAMPLE,
        minutes: 10,
        days: 0,
        times: 0,
        severity: 'warning',
        enabled: true,
        preset: null,
        openAlerts: 1,
        createdAt: FLEET.at,
        updatedAt: FLEET.at,
      },
    ],
  });

export const ruleListSchema = z
  .object({ rules: z.array(ruleSchema).describe('By account, oldest first; at most 2,000.') })
  .meta({ id: 'AlertRuleList' });

export const ruleAnswerSchema = doneSchema.extend({ result: ruleSchema }).meta({ id: 'AlertRuleAnswer' });

/** What a body sets, as fleet takes it. */
export function contentMessage(
  body: Partial<Omit<CreateRuleBody, 'account'>>,
): MessageInitShape<typeof AlertRuleContentSchema> {
  const { kind: kindWanted, severity: severityWanted, ...set } = body;
  const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== undefined));
  return { ...given, kind: kindNumber(kindWanted), severity: severityNumber(severityWanted) };
}

export function ruleJson(rule: AlertRule): z.output<typeof ruleSchema> {
  return {
    id: rule.id,
    accountId: rule.accountId,
    accountName: rule.accountName,
    name: rule.name,
    kind: kindName(rule.kind),
    filter: rule.filter,
    condition: rule.condition,
    minutes: rule.minutes,
    days: rule.days,
    times: rule.times,
    severity: severityName(rule.severity),
    enabled: rule.enabled,
    preset: rule.preset || null,
    openAlerts: rule.openAlerts,
    createdAt: isoTime(rule.createdAt),
    updatedAt: isoTime(rule.updatedAt),
  };
}
