import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import {
  AuditOutcome,
  StreamFilterSchema,
  StreamKind,
  StreamStateSchema,
  type CreateStreamRequestSchema,
  type Stream,
  type UpdateStreamRequestSchema,
} from '@warren/proto/audit/v1/audit';
import {
  RETENTION_MONTHS,
  STREAM_KINDS,
  STREAM_OUTCOMES,
  streamActions,
  streamCa,
  streamName,
  streamOutcomes,
  streamUrl,
  syslogAddress,
  type StreamKindName,
  type StreamOutcome,
} from '@warren/rules/audit-streams';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { accountFilterSchema, idSchema, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const KIND_OF: Readonly<Record<StreamKindName, StreamKind>> = {
  webhook: StreamKind.WEBHOOK,
  syslog: StreamKind.SYSLOG,
  file: StreamKind.FILE,
};
const OUTCOME_OF: Readonly<Record<StreamOutcome, AuditOutcome>> = {
  success: AuditOutcome.SUCCESS,
  refused: AuditOutcome.REFUSED,
  failed: AuditOutcome.FAILED,
};

const scopeSchema = z
  .enum(['account', 'all'])
  .default('account')
  .describe('`all`: events of all accounts and of the installation, for SuperAdmins.');
const fields = {
  name: streamName.describe('Not of another stream of the account, in any case.'),
  url: z
    .union([streamUrl, syslogAddress], 'expected https://… for a webhook, or tls://host:port for syslog')
    .describe(
      '`https://…` of a webhook, which is not shown again; `tls://host:port` of syslog, port 6514 by default. Absent for a file.',
    ),
  ca: streamCa.describe('Syslog only: certificates that sign the receiver’s, as PEM. Empty: public authorities.'),
  actions: streamActions.describe('Actions such as `device.rename`, or groups such as `device.*`. None: all.'),
  outcomes: streamOutcomes.describe('None: all.'),
};

export const listStreamsQuery = z.object({ account: accountFilterSchema, scope: scopeSchema });
export type ListStreamsQuery = z.output<typeof listStreamsQuery>;

export const createStreamBody = z
  .strictObject({
    account: idSchema.optional().describe('If absent, your own.'),
    scope: scopeSchema,
    kind: z.enum(STREAM_KINDS),
    ...fields,
    url: fields.url.optional(),
    ca: fields.ca.default(''),
    actions: fields.actions.default([]),
    outcomes: fields.outcomes.default([]),
  })
  .meta({ id: 'CreateAuditStream', examples: [{ name: 'SIEM', kind: 'syslog', url: 'tls://siem.example.com:6514' }] });
export type CreateStreamBody = z.output<typeof createStreamBody>;

/** What is left out stays as it is. */
export const updateStreamBody = z
  .strictObject({ ...fields, enabled: z.boolean() })
  .partial()
  .meta({ id: 'UpdateAuditStream', examples: [{ enabled: false }] });
export type UpdateStreamBody = z.output<typeof updateStreamBody>;

const streamSchema = z
  .object({
    id: idSchema,
    accountId: z.string().describe('Empty for a stream of all accounts.'),
    name: z.string(),
    kind: z.enum(STREAM_KINDS),
    url: z
      .string()
      .describe('Of a webhook its origin and last 4 characters; of a file its path below the folder of the hub.'),
    ca: z.string(),
    actions: z.array(z.string()),
    outcomes: z.array(z.enum(STREAM_OUTCOMES)),
    enabled: z.boolean(),
    lastDelivery: timeSchema.nullable(),
    failingSince: timeSchema.nullable().describe('Set while deliveries fail.'),
    lastError: z.string().nullable().describe('Why the last failed delivery failed, for people.'),
    delivered: z.int().describe('Events so far.'),
    skipped: z.int().describe('Events that retention removed before they were delivered.'),
    lastGap: timeSchema.nullable().describe('When such events were last passed over.'),
    waiting: z.int().describe('Events to be looked at.'),
    waitingSince: timeSchema.nullable().describe('Time of the oldest of them.'),
    formerSecretUntil: timeSchema.nullable().describe('Until then a replaced signing secret signs as well.'),
  })
  .meta({
    id: 'AuditStream',
    examples: [
      {
        id: FLEET.id,
        accountId: FLEET.account.id,
        name: 'SIEM',
        kind: 'syslog',
        url: 'tls://siem.example.com:6514',
        ca: '',
        actions: [],
        outcomes: [],
        enabled: true,
        lastDelivery: FLEET.at,
        failingSince: null,
        lastError: null,
        delivered: 4211,
        skipped: 0,
        lastGap: null,
        waiting: 0,
        waitingSince: null,
        formerSecretUntil: null,
      },
    ],
  });

export const streamListSchema = z
  .object({
    streams: z.array(streamSchema).describe('By name.'),
    files: z.boolean().describe('Whether streams may be files: of all accounts, if the hub has a folder for them.'),
  })
  .meta({ id: 'AuditStreamList' });
export const streamAnswerSchema = doneSchema.extend({ result: streamSchema }).meta({ id: 'AuditStreamAnswer' });
export const streamSecretSchema = doneSchema
  .extend({
    result: streamSchema,
    secret: z.string().nullable().describe('Signs the events of a webhook; not shown again. Null for other streams.'),
  })
  .meta({ id: 'AuditStreamSecret' });
export const streamTestSchema = z
  .object({
    delivered: z.boolean(),
    reason: z.string().nullable().describe('Why it was not delivered, for people.'),
  })
  .meta({ id: 'AuditStreamTest', examples: [{ delivered: true, reason: null }] });

const { min, max } = RETENTION_MONTHS;
export const retentionQuery = z.object({ account: idSchema.optional().describe('If absent, your own.') });
export type RetentionQuery = z.output<typeof retentionQuery>;
export const setRetentionBody = z
  .strictObject({
    account: idSchema.optional().describe('If absent, your own.'),
    months: z
      .int('expected a whole number of months')
      .min(min, `expected at least ${min}`)
      .max(max, `expected at most ${max}`)
      .nullable()
      .describe('Besides the present month. If null, the default of the installation.'),
  })
  .meta({ id: 'SetAuditRetention', examples: [{ months: 36 }] });
export type SetRetentionBody = z.output<typeof setRetentionBody>;
export const retentionSchema = z
  .object({
    months: z.int().nullable().describe('Null: the default applies.'),
    defaultMonths: z.int().describe('Default of the installation.'),
  })
  .meta({ id: 'AuditRetention', examples: [{ months: null, defaultMonths: 24 }] });

/** A new stream, as the audit service takes it. */
export function createMessage(body: CreateStreamBody): MessageInitShape<typeof CreateStreamRequestSchema> {
  const { account = '', scope, kind, url = '', actions, outcomes, ...settings } = body;
  const filter = filterMessage(actions, outcomes);
  return { ...settings, url, accountId: account, all: scope === 'all', kind: KIND_OF[kind], filter };
}

/** A change, as the audit service takes it. */
export function updateMessage(
  id: string,
  { actions, outcomes, ...settings }: UpdateStreamBody,
): MessageInitShape<typeof UpdateStreamRequestSchema> {
  const filter = actions && outcomes ? filterMessage(actions, outcomes) : undefined;
  return { ...settings, id, ...(filter && { filter }) };
}

const filterMessage = (
  actions: string[],
  outcomes: readonly StreamOutcome[],
): MessageInitShape<typeof StreamFilterSchema> => ({ actions, outcomes: outcomes.map((one) => OUTCOME_OF[one]) });

/** A stream as the API has it. */
export function streamJson(stream: Stream): z.output<typeof streamSchema> {
  const { id, accountId, name, url, ca, enabled, filter } = stream;
  const { actions, outcomes } = filter ?? create(StreamFilterSchema);
  const state = stream.state ?? create(StreamStateSchema);
  return {
    id,
    accountId,
    name,
    kind: STREAM_KINDS.find((kind) => KIND_OF[kind] === stream.kind) ?? 'webhook',
    url,
    ca,
    actions,
    outcomes: STREAM_OUTCOMES.filter((one) => outcomes.includes(OUTCOME_OF[one])),
    enabled,
    lastDelivery: timeOf(state.lastDelivery),
    failingSince: timeOf(state.failingSince),
    lastError: state.lastError || null,
    delivered: Number(state.delivered),
    skipped: Number(state.skipped),
    lastGap: timeOf(state.lastGap),
    waiting: Number(state.waiting),
    waitingSince: timeOf(state.waitingSince),
    formerSecretUntil: timeOf(stream.formerSecretUntil),
  };
}

const timeOf = (time: Timestamp | undefined) => (time ? timestampDate(time).toISOString() : null);
