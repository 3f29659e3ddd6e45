import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  ChannelKind,
  type Channel,
  type ChannelSchema,
  type ChannelTargetSchema,
  type UpdateChannelRequestSchema,
} from '@warren/proto/fleet/v1/notifications';
import { ALERT_SEVERITIES } from '@warren/rules/alerts';
import {
  afterMinutes,
  CHANNEL_KINDS,
  channelAddresses,
  channelName,
  channelUrl,
  quietHours,
  type ChannelKindName,
} from '@warren/rules/channels';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { accountFilterSchema, idSchema, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const KIND_OF: Readonly<Record<ChannelKindName, ChannelKind>> = {
  mail: ChannelKind.MAIL,
  slack: ChannelKind.SLACK,
  teams: ChannelKind.TEAMS,
  webhook: ChannelKind.WEBHOOK,
};
const NAME_OF = Object.fromEntries(Object.entries(KIND_OF).map(([name, kind]) => [kind, name])) as Partial<
  Record<ChannelKind, ChannelKindName>
>;

const targetSchema = z.union(
  [z.strictObject({ addresses: channelAddresses }), z.strictObject({ url: channelUrl })],
  'expected addresses for mail, or a url for every other kind',
);
type Target = z.output<typeof targetSchema>;

const severity = z.enum(ALERT_SEVERITIES);
const fields = {
  name: channelName.describe('Not of another channel of the account, in any case.'),
  target: targetSchema.describe('Addresses for mail; a URL, which is not shown again, for every other kind.'),
  minSeverity: severity.describe('Alerts of a lower severity are left out.'),
  quiet: quietHours.nullable().describe('What falls into quiet hours is sent in one message at their end. Null: none.'),
  afterMinutes: afterMinutes.describe('Only alerts that are still open and unacknowledged after so long. 0: at once.'),
  recovery: z.boolean().describe('Whether closed alerts are sent as well.'),
  enabled: z.boolean(),
};

export const createChannelBody = z
  .strictObject({
    ...fields,
    account: idSchema.optional().describe('If absent, your own.'),
    kind: z.enum(CHANNEL_KINDS),
    minSeverity: fields.minSeverity.default('warning'),
    quiet: fields.quiet.default(null),
    afterMinutes: fields.afterMinutes.default(0),
    recovery: fields.recovery.default(true),
    enabled: fields.enabled.default(true),
  })
  .meta({
    id: 'CreateChannel',
    examples: [{ name: 'On call', kind: 'slack', target: { url: 'https://hooks.slack.com/services/T0/B0/x' } }],
  });
export type CreateChannelBody = z.output<typeof createChannelBody>;

/** What is left out stays as it is. */
export const updateChannelBody = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'UpdateChannel', examples: [{ minSeverity: 'critical', enabled: false }] });
export type UpdateChannelBody = z.output<typeof updateChannelBody>;

export const listChannelsQuery = z.object({ account: accountFilterSchema });
export type ListChannelsQuery = z.output<typeof listChannelsQuery>;

const channelSchema = z
  .object({
    id: idSchema,
    accountId: idSchema,
    name: z.string(),
    kind: z.enum(CHANNEL_KINDS),
    target: z
      .object({
        addresses: z.array(z.string()).optional(),
        url: z.string().optional().describe('Its origin and last 4 characters.'),
      })
      .describe('Addresses of mail; a URL of every other kind.'),
    minSeverity: severity,
    quiet: z
      .object({ from: z.string(), to: z.string(), zone: z.string(), exceptCritical: z.boolean() })
      .nullable()
      .describe('Null: none.'),
    afterMinutes: z.int(),
    recovery: z.boolean(),
    enabled: z.boolean(),
    lastSuccess: timeSchema.nullable(),
    lastFailure: timeSchema.nullable(),
    lastError: z.string().nullable().describe('Why the last attempt failed, for people. Null after a success.'),
  })
  .meta({
    id: 'NotificationChannel',
    examples: [
      {
        id: FLEET.id,
        accountId: FLEET.account.id,
        name: 'On call',
        kind: 'mail',
        target: { addresses: [FLEET.owner.email] },
        minSeverity: 'warning',
        quiet: null,
        afterMinutes: 5,
        recovery: true,
        enabled: true,
        lastSuccess: FLEET.at,
        lastFailure: null,
        lastError: null,
      },
    ],
  });

export const channelListSchema = z
  .object({ channels: z.array(channelSchema).describe('By name.') })
  .meta({ id: 'NotificationChannelList' });

export const channelAnswerSchema = doneSchema
  .extend({ result: channelSchema })
  .meta({ id: 'NotificationChannelAnswer' });

export const channelSecretSchema = doneSchema
  .extend({
    result: channelSchema,
    secret: z
      .string()
      .nullable()
      .describe('Signs the messages of a webhook; not shown again. Null for every other kind.'),
  })
  .meta({ id: 'NotificationChannelSecret' });

export const channelTestSchema = z
  .object({
    delivered: z.boolean(),
    reason: z.string().nullable().describe('Why it was not delivered, for people.'),
  })
  .meta({ id: 'NotificationChannelTest', examples: [{ delivered: true, reason: null }] });

const targetMessage = (target: Target): MessageInitShape<typeof ChannelTargetSchema> =>
  'url' in target ? { url: target.url } : { addresses: target.addresses };

/** A new channel, as fleet takes it. */
export function channelMessage(body: CreateChannelBody): MessageInitShape<typeof ChannelSchema> {
  const { account = '', kind, target, quiet, ...settings } = body;
  return {
    ...settings,
    accountId: account,
    kind: KIND_OF[kind],
    target: targetMessage(target),
    ...(quiet && { quiet }),
  };
}

/** A change, as fleet takes it. */
export function updateMessage(
  id: string,
  { target, quiet, ...settings }: UpdateChannelBody,
): MessageInitShape<typeof UpdateChannelRequestSchema> {
  return {
    ...settings,
    id,
    ...(target && { target: targetMessage(target) }),
    ...(quiet && { quiet }),
    clearQuiet: quiet === null,
  };
}

export function channelJson(channel: Channel): z.output<typeof channelSchema> {
  const { id, accountId, name, target, quiet, recovery, enabled, lastSuccess, lastFailure, lastError } = channel;
  const kind = NAME_OF[channel.kind] ?? 'webhook';
  return {
    id,
    accountId,
    name,
    kind,
    recovery,
    enabled,
    target: kind === 'mail' ? { addresses: target?.addresses ?? [] } : { url: target?.url ?? '' },
    minSeverity: ALERT_SEVERITIES.find((one) => one === channel.minSeverity) ?? 'info',
    quiet: quiet ? { from: quiet.from, to: quiet.to, zone: quiet.zone, exceptCritical: quiet.exceptCritical } : null,
    afterMinutes: channel.afterMinutes,
    lastSuccess: lastSuccess ? timestampDate(lastSuccess).toISOString() : null,
    lastFailure: lastFailure ? timestampDate(lastFailure).toISOString() : null,
    lastError: lastError || null,
  };
}
