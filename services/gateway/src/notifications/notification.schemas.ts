import { timestampDate } from '@bufbuild/protobuf/wkt';
import { NotificationState, type Notification } from '@warren/proto/fleet/v1/notifications';
import { ALERT_SEVERITIES } from '@warren/rules/alerts';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { PAGE } from '../http/limits.ts';
import { accountFilterSchema, idSchema, isoTime, pageFields, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const STATES = ['waiting', 'delivered', 'failed'] as const;
type StateName = (typeof STATES)[number];

const STATE_OF: Readonly<Record<StateName, NotificationState>> = {
  waiting: NotificationState.WAITING,
  delivered: NotificationState.DELIVERED,
  failed: NotificationState.FAILED,
};

export const listNotificationsQuery = z.object({
  account: accountFilterSchema,
  channel: idSchema.optional().describe('Of this channel only.'),
  state: z.enum(STATES).optional(),
  limit: pageFields(PAGE.default).limit,
  before: idSchema.optional().describe('Only those before this one: the last of the page before.'),
});
export type ListNotificationsQuery = z.output<typeof listNotificationsQuery>;

const notificationSchema = z
  .object({
    id: idSchema,
    accountId: idSchema,
    channelId: idSchema,
    channelName: z.string(),
    state: z.enum(STATES),
    title: z.string(),
    severity: z.enum(ALERT_SEVERITIES),
    createdAt: timeSchema,
    deliveredAt: timeSchema.nullable(),
    attempts: z.int(),
    lastError: z.string().nullable().describe('Why the last attempt failed, for people.'),
    nextAttempt: timeSchema.nullable().describe('Null unless it waits.'),
  })
  .meta({
    id: 'Notification',
    examples: [
      {
        id: FLEET.id,
        accountId: FLEET.account.id,
        channelId: FLEET.id,
        channelName: 'On call',
        state: 'delivered',
        title: 'Greenhouse 2: Hot in the north',
        severity: 'warning',
        createdAt: FLEET.at,
        deliveredAt: FLEET.at,
        attempts: 1,
        lastError: null,
        nextAttempt: null,
      },
    ],
  });

export const notificationListSchema = z
  .object({ notifications: z.array(notificationSchema).describe('Newest first.') })
  .meta({ id: 'NotificationList' });

export const notificationAnswerSchema = doneSchema
  .extend({ result: notificationSchema })
  .meta({ id: 'NotificationAnswer' });

/** The state that a query asks for. */
export const stateMessage = (state: StateName | undefined) => (state ? STATE_OF[state] : NotificationState.UNSPECIFIED);

export function notificationJson(one: Notification): z.output<typeof notificationSchema> {
  const { id, accountId, channelId, channelName, title, attempts, delivered, nextAttempt, lastError } = one;
  return {
    id,
    accountId,
    channelId,
    channelName,
    title,
    attempts,
    state: STATES.find((state) => STATE_OF[state] === one.state) ?? 'waiting',
    severity: ALERT_SEVERITIES.find((severity) => severity === one.severity) ?? 'info',
    createdAt: isoTime(one.created),
    deliveredAt: delivered ? timestampDate(delivered).toISOString() : null,
    lastError: lastError || null,
    nextAttempt: nextAttempt ? timestampDate(nextAttempt).toISOString() : null,
  };
}
