import { ActivityKind, ActivityTopic, type Activity } from '@warren/proto/devices/v1/devices';
import { z } from 'zod';
import { accountFilterSchema, hoursSchema, idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const AT = '2026-01-31T08:15:30.000Z';
const MAX = 100;

const TOPICS = {
  all: ActivityTopic.UNSPECIFIED,
  links: ActivityTopic.LINKS,
  changes: ActivityTopic.CHANGES,
} as const;

export const listActivityQuery = z.object({
  account: accountFilterSchema,
  topic: z
    .enum(['all', 'links', 'changes'])
    .default('all')
    .transform((name) => TOPICS[name])
    .describe('Links that came and went, everything else, or all of it.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(20)
    .transform((wanted) => Math.min(wanted, MAX))
    .describe(`Entries; more than ${MAX} count as ${MAX}.`),
});
export type ListActivityQuery = z.output<typeof listActivityQuery>;

const KINDS = {
  [ActivityKind.UNSPECIFIED]: 'changed',
  [ActivityKind.ENROLLED]: 'enrolled',
  [ActivityKind.CONNECTED]: 'connected',
  [ActivityKind.DISCONNECTED]: 'disconnected',
  [ActivityKind.RENAMED]: 'renamed',
  [ActivityKind.MOVED_IN]: 'moved_in',
  [ActivityKind.MOVED_OUT]: 'moved_out',
  [ActivityKind.DELETED]: 'deleted',
  [ActivityKind.WEB_PERMISSIONS]: 'web_permissions',
  [ActivityKind.HARDWARE_REPLACED]: 'hardware_replaced',
  [ActivityKind.MACHINE_SEPARATED]: 'machine_separated',
  [ActivityKind.LABELLED]: 'labelled',
  [ActivityKind.UPDATED]: 'updated',
  [ActivityKind.BULK_ACTION]: 'bulk_action',
} as const;

/** What happened to a device. */
const activitySchema = z
  .object({
    id: z.string(),
    at: timeSchema,
    kind: z.enum(KINDS),
    device: z.object({ id: idSchema, name: z.string() }).describe('The device, as it was called then.'),
    account: z.object({ id: idSchema, name: z.string() }).describe('Where it happened.'),
    detail: z
      .string()
      .describe(
        'The new name of a renamed device, what its web service may do, the serial of another machine, the labels that changed, the new version of the agent, or what a bulk job did; else empty.',
      ),
    actor: z.string().describe('The name of who did it; empty for what happened by itself.'),
  })
  .meta({
    id: 'Activity',
    examples: [
      {
        id: '48211',
        at: AT,
        kind: 'renamed',
        device: { id: FLEET.device.id, name: 'raspberrypi' },
        account: FLEET.account,
        detail: 'Greenhouse 2',
        actor: FLEET.owner.name,
      },
    ],
  });

export const activityListSchema = z.object({ activity: z.array(activitySchema) }).meta({ id: 'ActivityList' });

export function activityJson(one: Activity): z.output<typeof activitySchema> {
  return {
    id: one.id,
    at: isoTime(one.at),
    kind: KINDS[one.kind] ?? KINDS[ActivityKind.UNSPECIFIED],
    device: { id: one.deviceId, name: one.deviceName },
    account: { id: one.accountId, name: one.accountName },
    detail: one.detail,
    actor: one.actor,
  };
}

export const deviceTrendQuery = z.object({ account: accountFilterSchema, hours: hoursSchema });
export type DeviceTrendQuery = z.output<typeof deviceTrendQuery>;

export const deviceTrendSchema = z
  .object({
    hours: z.int(),
    counts: z
      .array(z.object({ at: timeSchema, total: z.int(), connected: z.int() }))
      .describe('Oldest first, about every ten minutes; the last one is the present number.'),
  })
  .meta({ id: 'DeviceTrend', examples: [{ hours: 24, counts: [{ at: AT, total: 12, connected: 11 }] }] });
