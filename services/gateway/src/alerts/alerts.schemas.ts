import type { Alert } from '@warren/proto/fleet/v1/alerts';
import { ALERT_KINDS, ALERT_LIMITS, ALERT_SEVERITIES, alertNote } from '@warren/rules/alerts';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { accountFilterSchema, idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { kindName, severityName, stateName } from './alert.names.ts';

const MOST = 200;

const boolSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

export const listAlertsQuery = z.object({
  account: accountFilterSchema,
  state: z.enum(['open', 'closed']).optional().describe('If absent, both.'),
  acknowledged: boolSchema.optional().describe('If absent, both.'),
  severity: z.enum(ALERT_SEVERITIES).optional(),
  rule: idSchema.optional().describe('Id of a rule.'),
  device: idSchema.optional().describe('Id of a device.'),
  limit: z.coerce.number().int().min(1).max(MOST).default(50).describe(`1 to ${MOST}.`),
  before: idSchema.optional().describe('Id of the last alert of the page before.'),
});
export type ListAlertsQuery = z.output<typeof listAlertsQuery>;

export const ofAccountQuery = z.object({ account: accountFilterSchema });
export type OfAccountQuery = z.output<typeof ofAccountQuery>;

const alertSchema = z
  .object({
    id: idSchema,
    ruleId: idSchema.describe('Its rule, which may be deleted.'),
    ruleName: z.string(),
    kind: z.enum(ALERT_KINDS),
    severity: z.enum(ALERT_SEVERITIES),
    accountId: idSchema,
    accountName: z.string(),
    deviceId: idSchema.describe('Its device, which may be deleted, or in another account.'),
    deviceName: z.string().describe('As it was called when the alert opened.'),
    detail: z.string().describe('What was found when it opened, for people.'),
    value: z
      .number()
      .optional()
      .describe(
        'What was measured: of a condition its first number, of flapping how often, of disk_full the days left.',
      ),
    state: z.enum(['open', 'closed']),
    openedAt: timeSchema,
    closedAt: timeSchema.optional(),
    acknowledged: z.object({ at: timeSchema, by: z.string(), note: z.string() }).optional(),
    silenced: z.boolean().describe('Notifications are withheld.'),
  })
  .meta({ id: 'Alert' });

export const alertListSchema = z
  .object({
    alerts: z.array(alertSchema).describe('Newest first.'),
    total: z.int().describe('On all pages, counted up to 10,000.'),
  })
  .meta({ id: 'AlertList', examples: [{ alerts: [], total: 0 }] });

const ofSeverity = z.object({ critical: z.int(), warning: z.int(), info: z.int() });

export const alertCountsSchema = z
  .object({ open: ofSeverity, unacknowledged: z.int().describe('Open alerts that nobody acknowledged.') })
  .meta({ id: 'AlertCounts', examples: [{ open: { critical: 1, warning: 4, info: 0 }, unacknowledged: 5 }] });

export const acknowledgeBody = z
  .object({
    ids: z
      .array(idSchema)
      .min(1, 'expected the id of an alert')
      .max(ALERT_LIMITS.acknowledged, `expected at most ${ALERT_LIMITS.acknowledged} ids`),
    note: alertNote.default('').describe('For those who look at the alerts later.'),
  })
  .meta({
    id: 'AcknowledgeAlerts',
    examples: [{ ids: ['01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f'], note: 'Somebody is on the way.' }],
  });
export type AcknowledgeBody = z.output<typeof acknowledgeBody>;

export const acknowledgedSchema = doneSchema
  .extend({ changed: z.int().describe('Alerts that are acknowledged now, and were not before.') })
  .meta({ id: 'AlertsAcknowledged' });

export function alertJson(alert: Alert): z.output<typeof alertSchema> {
  const { acknowledged: seen, value, closedAt } = alert;
  const { id, ruleId, ruleName, accountId, accountName, deviceId, deviceName, detail, silenced } = alert;
  return {
    id,
    ruleId,
    ruleName,
    kind: kindName(alert.kind),
    severity: severityName(alert.severity),
    accountId,
    accountName,
    deviceId,
    deviceName,
    detail,
    ...(value !== undefined && { value }),
    state: stateName(alert.state),
    openedAt: isoTime(alert.openedAt),
    ...(closedAt && { closedAt: isoTime(closedAt) }),
    ...(seen && { acknowledged: { at: isoTime(seen.at), by: seen.by, note: seen.note } }),
    silenced,
  };
}
