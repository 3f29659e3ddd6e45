import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { permissionNames } from '@warren/platform/policy/permission.names';
import {
  AccessRequestState,
  type AccessRequest,
  type AccessRules,
  type AccessRulesSchema,
} from '@warren/proto/tenancy/v1/requests';
import {
  ACCESS_REQUEST_LIMITS,
  DEFAULT_ACCESS_RULES,
  recentMinutes,
  requestMinutes,
  requestNote,
  requestReason,
} from '@warren/rules/access-requests';
import { grantFilter, GRANT_LIMITS } from '@warren/rules/grants';
import { terminalPinDays } from '@warren/rules/terminals';
import { z } from 'zod';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, isoTime, pageFields, timeSchema, totalSchema } from '../http/schemas.ts';
import { permissionSchema } from '../http/device.permissions.ts';
import { FLEET } from '../http/example.fleet.ts';

const STATES = ['open', 'approved', 'denied', 'withdrawn', 'expired'] as const;
const STATE_NAMES: Readonly<Record<AccessRequestState, (typeof STATES)[number]>> = {
  [AccessRequestState.UNSPECIFIED]: 'open',
  [AccessRequestState.OPEN]: 'open',
  [AccessRequestState.APPROVED]: 'approved',
  [AccessRequestState.DENIED]: 'denied',
  [AccessRequestState.WITHDRAWN]: 'withdrawn',
  [AccessRequestState.EXPIRED]: 'expired',
};

const minutes = requestMinutes.describe('How long the access lasts from its approval.');

const decisionSchema = z.object({
  by: z.object({ id: idSchema, name: z.string() }),
  approved: z.boolean(),
  minutes: z.int().describe('What they approved; 0 for a denial.'),
  note: z.string(),
  time: timeSchema,
});

/** A request for access. */
const requestSchema = z
  .object({
    id: idSchema,
    requester: z.object({ id: idSchema, name: z.string(), email: z.string() }),
    permissions: z.array(permissionSchema),
    filter: z.string().describe('The devices, as in a grant.'),
    device: z
      .object({ id: idSchema, name: z.string() })
      .nullable()
      .describe('The one device of the filter, if it is about one.'),
    reason: z.string(),
    minutes,
    state: z.enum(STATES),
    created: timeSchema,
    expires: timeSchema.describe('When it expires if nobody decides.'),
    ended: timeSchema.nullable().describe('When it was decided, withdrawn or expired.'),
    decisions: z.array(decisionSchema),
    approvals_needed: z.int(),
    grant: idSchema.nullable().describe('The grant of an approved request.'),
    grant_expires: timeSchema.nullable(),
    decidable: z.boolean().describe('You may decide about it.'),
  })
  .meta({
    id: 'AccessRequest',
    examples: [
      {
        id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
        requester: FLEET.member,
        permissions: ['view', 'terminal'],
        filter: `id=${FLEET.device.id}`,
        device: FLEET.device,
        reason: 'The pump of the greenhouse stops at night',
        minutes: 60,
        state: 'open',
        created: '2026-01-31T08:15:30.000Z',
        expires: '2026-02-01T08:15:30.000Z',
        ended: null,
        decisions: [],
        approvals_needed: 1,
        grant: null,
        grant_expires: null,
        decidable: true,
      },
    ],
  });
export type AccessRequestJson = z.output<typeof requestSchema>;

export const requestListQuery = z.object({
  ...pageFields(),
  state: z.enum(['open', 'ended']).default('open').describe('Those that wait for a decision, or the others.'),
});
export type RequestListQuery = z.output<typeof requestListQuery>;

export const requestListSchema = z
  .object({
    total: totalSchema,
    to_decide: z.int().meta({ description: 'Open requests of the account that you may decide about.', examples: [1] }),
    requests: z.array(requestSchema),
  })
  .meta({ id: 'AccessRequestList' });
export const requestAnswerSchema = doneSchema.extend({ result: requestSchema }).meta({ id: 'AccessRequestAnswer' });

/** A new request, about one device or those of a filter. */
export const createRequestBody = z
  .strictObject({
    device: idSchema.optional().describe('The one device that it is about.'),
    filter: grantFilter
      .optional()
      .describe(
        `Devices that a filter holds for, at most ${GRANT_LIMITS.filter} characters; empty: all of the account.`,
      ),
    permissions: z.array(permissionSchema).min(1).max(5).describe('`view` is always part of them.'),
    reason: requestReason.describe(`Why, for those who decide. At most ${ACCESS_REQUEST_LIMITS.reason} characters.`),
    minutes,
  })
  .refine(({ device, filter }) => (device === undefined) !== (filter === undefined), {
    path: ['device'],
    error: 'expected a device or a filter, and not both',
  })
  .meta({
    id: 'CreateAccessRequest',
    examples: [
      {
        device: FLEET.device.id,
        permissions: ['terminal'],
        reason: 'The pump stops at night',
        minutes: 60,
      },
    ],
  });
export type CreateRequestBody = z.output<typeof createRequestBody>;

const note = requestNote.default('').describe(`For the requester. At most ${ACCESS_REQUEST_LIMITS.note} characters.`);

export const approveBody = z
  .strictObject({
    minutes: requestMinutes.nullable().default(null).describe('A shorter time than asked for; null: the same.'),
    note,
  })
  .meta({ id: 'ApproveAccessRequest', examples: [{ minutes: 30, note: '' }] });
export type ApproveBody = z.output<typeof approveBody>;

export const denyBody = z
  .strictObject({ note })
  .meta({ id: 'DenyAccessRequest', examples: [{ note: 'Ask the crew on site.' }] });
export type DenyBody = z.output<typeof denyBody>;

const recentShape = {
  minutes: recentMinutes.describe('How old a sign-in may be.'),
  terminals: z.boolean().describe('To open terminals and desktops.'),
  manage: z.boolean().describe('To manage devices: reboot, update, rename, move, delete.'),
  grants: z.boolean().describe('To change grants and the access mode. Deciding about requests always needs it.'),
};
const rulesShape = {
  requests: z.boolean().describe('People of the account may ask for access.'),
  longest_minutes: requestMinutes.describe('Longest time that can be asked for.'),
  approver_group: idSchema.nullable().describe('Whose people decide; null: Owner and Admins.'),
  second_approver: z.boolean().describe('Two people have to approve.'),
};
const guestLinks = z.boolean().describe('People of the account may make guest links.');
const pinDays = terminalPinDays.describe(
  "Days that a detached terminal of the account's devices may be pinned; 0: not at all. Shortens longer pins.",
);
const observe = z
  .boolean()
  .describe("Owner and Admins may observe terminals of the account's devices without their owners' consent.");
const { recentSignIn, longestMinutes, terminalPinDays: defaultPinDays } = DEFAULT_ACCESS_RULES;
const example = {
  requests: true,
  longest_minutes: longestMinutes,
  approver_group: null,
  second_approver: false,
  recent_sign_in: { ...recentSignIn, terminals: true },
};

/** The rules of an account about access requests and recent sign-ins. */
export const rulesSchema = z
  .object({
    ...rulesShape,
    guest_links: guestLinks,
    terminal_pin_days: pinDays,
    observe_terminals: observe,
    approver_group_name: z.string(),
    recent_sign_in: z.object(recentShape),
  })
  .meta({
    id: 'AccessRules',
    examples: [
      { ...example, guest_links: false, terminal_pin_days: 7, observe_terminals: false, approver_group_name: '' },
    ],
  });
export const setRulesBody = z
  .strictObject({
    ...rulesShape,
    guest_links: guestLinks.optional().describe('People of the account may make guest links. Absent: as it is.'),
    terminal_pin_days: pinDays.optional(),
    observe_terminals: observe.optional(),
    recent_sign_in: z.strictObject(recentShape),
  })
  .meta({ id: 'SetAccessRules', examples: [example] });
export type SetRulesBody = z.output<typeof setRulesBody>;

const orNull = (time: Timestamp | undefined) => (time ? timestampDate(time).toISOString() : null);

export function requestJson(request: AccessRequest): AccessRequestJson {
  return {
    id: request.id,
    requester: { id: request.userId, name: request.userName, email: request.userEmail },
    permissions: permissionNames(request.permissions),
    filter: request.filter,
    device: request.deviceId ? { id: request.deviceId, name: request.deviceName } : null,
    reason: request.reason,
    minutes: request.minutes,
    state: STATE_NAMES[request.state],
    created: isoTime(request.created),
    expires: isoTime(request.expires),
    ended: orNull(request.ended),
    decisions: request.decisions.map(({ userId, name, approved, minutes: given, note: said, decided }) => ({
      by: { id: userId, name },
      approved,
      minutes: given,
      note: said,
      time: isoTime(decided),
    })),
    approvals_needed: request.approvalsNeeded,
    grant: request.grantId || null,
    grant_expires: orNull(request.grantExpires),
    decidable: request.decidable,
  };
}

export const requestAnswer = (msg: string, request: AccessRequest) => ({ ...done(msg), result: requestJson(request) });

/** A tenancy service of the version before does not say. */
const pinDaysOf = (rules: AccessRules | undefined) => rules?.terminalPinDays ?? defaultPinDays;
const observeOf = (rules: AccessRules | undefined) => rules?.observeTerminals ?? false;

export function rulesJson(rules: AccessRules | undefined): z.output<typeof rulesSchema> {
  const { minutes: recent, terminals, manage, grants } = rules?.recentSignIn ?? recentSignIn;
  return {
    requests: rules?.requests ?? false,
    longest_minutes: rules?.longestMinutes ?? longestMinutes,
    approver_group: rules?.approverGroupId || null,
    approver_group_name: rules?.approverGroupName ?? '',
    second_approver: rules?.secondApprover ?? false,
    guest_links: rules?.guestLinks ?? false,
    terminal_pin_days: pinDaysOf(rules),
    observe_terminals: observeOf(rules),
    recent_sign_in: { minutes: recent, terminals, manage, grants },
  };
}

export function rulesMessage(body: SetRulesBody): MessageInitShape<typeof AccessRulesSchema> {
  return {
    requests: body.requests,
    longestMinutes: body.longest_minutes,
    approverGroupId: body.approver_group ?? '',
    secondApprover: body.second_approver,
    recentSignIn: body.recent_sign_in,
    ...(body.guest_links === undefined ? {} : { guestLinks: body.guest_links }),
    ...(body.terminal_pin_days === undefined ? {} : { terminalPinDays: body.terminal_pin_days }),
    ...(body.observe_terminals === undefined ? {} : { observeTerminals: body.observe_terminals }),
  };
}
