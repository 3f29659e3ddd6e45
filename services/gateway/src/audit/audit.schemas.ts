import { z } from 'zod';
import { PRINTABLE } from '@warren/rules/printable';
import { accountFilterSchema, idSchema, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const PAGE = 50;
const MOST = 200;
const MAX_TEXT = 200;
/** The audit service finds texts by their trigrams. */
const MIN_SEARCH = 3;
const MAX_ACTIONS = 50;

export const OUTCOMES = ['success', 'refused', 'failed'] as const;
export const ACTOR_KINDS = ['user', 'token', 'service_account', 'guest', 'device', 'system', 'unknown'] as const;

const text = z
  .string()
  .trim()
  .max(MAX_TEXT, `expected at most ${MAX_TEXT} characters`)
  .regex(PRINTABLE, 'expected text without control characters');
const action = /^[a-z][a-z_]*\.(\*|[a-z][a-z_]*)$/;

const actions = z
  .string()
  .max(2_000)
  .transform((list) => list.split(',').map((one) => one.trim()))
  .refine(
    (list) => list.length <= MAX_ACTIONS && list.every((one) => action.test(one)),
    `expected at most ${MAX_ACTIONS} actions such as device.rename, or groups such as device.*, separated by commas`,
  );

const filterQuery = z.object({
  account: accountFilterSchema,
  from: timeSchema.optional().describe('Events at this time or later.'),
  to: timeSchema.optional().describe('Events before this time.'),
  actor: text.optional().describe('Id or e-mail address of the actor.'),
  action: actions.optional().describe('Actions, or groups such as `device.*`, separated by commas.'),
  target: text.optional().describe('Id of what the action was about.'),
  outcome: z.enum(OUTCOMES).optional(),
  request: text.optional().describe('Id of a request, from the `X-Request-Id` of its response.'),
  search: text
    .transform((words) => (words.length < MIN_SEARCH ? '' : words))
    .optional()
    .describe(`Part of a name, an address, a reason or a changed value. Ignored below ${MIN_SEARCH} characters.`),
});
export type AuditFilterQuery = z.output<typeof filterQuery>;

export const listAuditEventsQuery = filterQuery.extend({
  limit: z.coerce.number().int().min(1).max(MOST).default(PAGE).describe(`1 to ${MOST}.`),
  before: idSchema.optional().describe('`next` of the page before: older events.'),
});
export type ListAuditEventsQuery = z.output<typeof listAuditEventsQuery>;

export const exportAuditEventsQuery = filterQuery.extend({
  format: z.enum(['csv', 'ndjson']).describe('CSV (RFC 4180), or one JSON object per line.'),
});
export type ExportAuditEventsQuery = z.output<typeof exportAuditEventsQuery>;

/** One changed value; a side is absent where there was no value. */
const changeSchema = z.object({
  field: z.string(),
  before: z.unknown().optional().describe('Absent if it had no value.'),
  after: z.unknown().optional().describe('Absent if it has none now.'),
  hidden: z.boolean().describe('True for a secret, whose values are never recorded.'),
});

export const AUDIT_EXAMPLE = {
  id: FLEET.id,
  time: FLEET.at,
  account: FLEET.account,
  actor: { kind: 'user' as const, ...FLEET.owner },
  action: 'device.rename',
  target: { kind: 'device', id: FLEET.device.id, name: 'raspberrypi' },
  outcome: 'success' as const,
  reason: '',
  grant: '',
  address: '203.0.113.9',
  userAgent: 'Mozilla/5.0',
  requestId: '4bf92f3577b34da6a3ce929d0e0e4736',
  changes: [{ field: 'name', before: 'raspberrypi', after: 'Greenhouse 2', hidden: false }],
  details: {},
};

const auditEventSchema = z
  .object({
    id: idSchema,
    time: timeSchema,
    account: z
      .object({ id: z.string(), name: z.string().describe('As it is now; empty if the account is deleted.') })
      .describe('The account that it concerns; without an id, the installation.'),
    actor: z.object({
      kind: z.enum(ACTOR_KINDS),
      id: z.string(),
      name: z.string().describe('As it was then.'),
      email: z.string(),
    }),
    action: z.string().describe('Such as `device.rename`.'),
    target: z
      .object({ kind: z.string(), id: z.string(), name: z.string().describe('As it was then.') })
      .nullable()
      .describe('What the action was about.'),
    outcome: z.enum(OUTCOMES),
    reason: z.string().describe('Why it was refused or failed, or what the actor said; else empty.'),
    grant: z.string().describe('Id of the grant that allowed it; empty if the role did.'),
    address: z.string().describe('IP address of the client.'),
    userAgent: z.string(),
    requestId: z.string().describe('The same in the logs of every service.'),
    changes: z.array(changeSchema),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({
    id: 'AuditEvent',
    examples: [AUDIT_EXAMPLE],
  });
export type AuditEventJson = z.output<typeof auditEventSchema>;

export const auditEventListSchema = z
  .object({
    events: z.array(auditEventSchema).describe('Newest first.'),
    next: z
      .string()
      .nullable()
      .describe(
        '`before` of the next page; null at the end of the trail. Before that, a page of a search may be short or empty: continue with `next`.',
      ),
  })
  .meta({ id: 'AuditEventList' });

export const auditEventAnswerSchema = z.object({ event: auditEventSchema }).meta({ id: 'AuditEventAnswer' });
