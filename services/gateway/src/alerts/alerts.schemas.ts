import type { Alert } from '@warren/proto/fleet/v1/alerts';
import { ALERT_KINDS, ALERT_LIMITS, ALERT_SEVERITIES, alertNote } from '@warren/rules/alerts';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import {
  accountFilterSchema,
  booleanSchema,
  hoursSchema,
  idSchema,
  isoTime,
  timeSchema,
  totalSchema,
} from '../http/schemas.ts';
import { kindName, severityName, stateName } from './alert.names.ts';
import { FLEET } from '../http/example.fleet.ts';

const MOST = 200;

export const listAlertsQuery = z.object({
  account: accountFilterSchema,
  state: z.enum(['open', 'closed']).optional().describe('If absent, both.'),
  acknowledged: booleanSchema.optional().describe('If absent, both.'),
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
  .meta({
    id: 'Alert',
    examples: [
      {
        id: FLEET.id,
        ruleId: FLEET.id,
        ruleName: 'Hot in the north',
        kind: 'condition',
        severity: 'warning',
        accountId: FLEET.account.id,
        accountName: FLEET.account.name,
        deviceId: FLEET.device.id,
        deviceName: FLEET.device.name,
        detail: 'temperature is 74',
        value: 74,
        state: 'open',
        openedAt: FLEET.at,
        silenced: false,
      },
    ],
  });

export const alertListSchema = z
  .object({
    alerts: z.array(alertSchema).describe('Newest first.'),
    total: totalSchema.describe('On all pages, counted up to 10,000.'),
  })
  .meta({ id: 'AlertList' });

const ofSeverity = z.object({ critical: z.int(), warning: z.int(), info: z.int() });

export const alertCountsSchema = z
  .object({ open: ofSeverity, unacknowledged: z.int().describe('Open alerts that nobody acknowledged.') })
  .meta({ id: 'AlertCounts', examples: [{ open: { critical: 1, warning: 4, info: 0 }, unacknowledged: 5 }] });

export const alertTrendQuery = z.object({ account: accountFilterSchema, hours: hoursSchema });
export type AlertTrendQuery = z.output<typeof alertTrendQuery>;

export const alertTrendSchema = z
  .object({
    hours: z.int(),
    counts: z
      .array(ofSeverity.extend({ at: timeSchema }))
      .describe(
        'Open alerts, oldest first: every ten minutes up to 48 hours, else every hour; the last one is the present number.',
      ),
  })
  .meta({
    id: 'AlertTrend',
    examples: [{ hours: 24, counts: [{ at: '2026-01-31T08:15:30.000Z', critical: 1, warning: 4, info: 0 }] }],
  });

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
    examples: [{ ids: [FLEET.id], note: 'Somebody is on the way.' }],
  });
export type AcknowledgeBody = z.output<typeof acknowledgeBody>;

export const acknowledgedSchema = doneSchema
  .extend({ changed: z.int().describe('Alerts that are acknowledged now, and were not before.') })
  .meta({ id: 'AlertsAcknowledged', examples: [{ msg: 'alerts successfully acknowledged', changed: 1 }] });

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
