import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { permissionNames, permissionsOf } from '@warren/platform/policy/permission.names';
import type { UserCaller } from '@warren/proto/common/v1/common';
import {
  GrantSource,
  type Grant,
  type GrantContentSchema,
  type GrantSubjectSchema,
  type MemberAccess,
} from '@warren/proto/tenancy/v1/access';
import { GRANT_LIMITS, grantNote, referringGrantFilter } from '@warren/rules/grants';
import { z } from 'zod';
import { done, doneSchema } from '../http/done.ts';
import { roleName, roleSchema } from '../http/enums.ts';
import { idSchema, isoTime, pageFields, timeSchema, totalSchema } from '../http/schemas.ts';
import { permissionSchema } from '../http/device.permissions.ts';
import { rightSchema } from './rights.schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const modeSchema = z
  .enum(['default', 'explicit'])
  .describe('`default`: every member opens every device of the account. `explicit`: members reach what grants allow.');

const subjectKind = z.enum(['user', 'group', 'service_account', 'everyone']);
const filterSchema = referringGrantFilter.describe(
  `Devices that a filter holds for, see docs/access.md; empty: all of the account. At most ${GRANT_LIMITS.filter} characters.`,
);

/** A grant. */
const grantSchema = z
  .object({
    id: idSchema,
    subject: z.object({
      kind: subjectKind,
      id: z.string().describe('Id of the user, group or service account; empty for everyone, which is every user.'),
      name: z.string(),
    }),
    permissions: z.array(permissionSchema),
    filter: z.string(),
    expires: timeSchema.nullable(),
    note: z.string(),
    source: z.enum(['administrator', 'request']).describe('`request`: an approved access request.'),
    created: timeSchema,
    created_by: z.string(),
  })
  .meta({
    id: 'Grant',
    examples: [
      {
        id: FLEET.id,
        subject: { kind: 'group', ...FLEET.group },
        permissions: ['view', 'terminal'],
        filter: 'site=north',
        expires: null,
        note: 'Season 2027',
        source: 'administrator',
        created: '2026-01-31T08:15:30.000Z',
        created_by: FLEET.owner.email,
      },
    ],
  });
export type GrantJson = z.output<typeof grantSchema>;

export const grantListSchema = z.object({ grants: z.array(grantSchema) }).meta({ id: 'GrantList' });
export const grantAnswerSchema = doneSchema.extend({ result: grantSchema }).meta({ id: 'GrantAnswer' });

export const accessSchema = z
  .object({
    mode: modeSchema,
    switchable: z.boolean().describe('False for the operator account, whose people keep what their role gives.'),
  })
  .meta({ id: 'Access' });

export const accessModeBody = z
  .strictObject({ mode: modeSchema })
  .meta({ id: 'SetAccessMode', examples: [{ mode: 'explicit' }] });
export type AccessModeBody = z.output<typeof accessModeBody>;

const content = {
  permissions: z.array(permissionSchema).min(1).max(5).describe('`view` is always part of them.'),
  filter: filterSchema.default(''),
  expires: timeSchema.nullable().default(null).describe('Null: it does not expire. At most ten years from now.'),
  note: grantNote.default(''),
};

/** A new grant. */
export const createGrantBody = z
  .strictObject({
    subject: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('user'), id: idSchema }),
      z.strictObject({ kind: z.literal('group'), id: idSchema }),
      z.strictObject({ kind: z.literal('service_account'), id: idSchema }),
      z.strictObject({ kind: z.literal('everyone') }),
    ]),
    ...content,
  })
  .meta({
    id: 'CreateGrant',
    examples: [{ subject: { kind: 'everyone' }, permissions: ['view', 'terminal'], filter: 'site=north' }],
  });
export type CreateGrantBody = z.output<typeof createGrantBody>;

/** All of a grant but its subject. */
export const updateGrantBody = z
  .strictObject(content)
  .meta({ id: 'UpdateGrant', examples: [{ permissions: ['view'], filter: 'site=south', expires: null, note: '' }] });
export type UpdateGrantBody = z.output<typeof updateGrantBody>;

export const personSchema = z.object({
  id: idSchema,
  name: z.string(),
  email: z.string(),
  role: roleSchema,
  group: z.string().describe('Name of the group.'),
});

export const programSchema = z.object({ id: idSchema, name: z.string(), role: roleSchema });

export const reachQuery = z.object(pageFields());
export type ReachQuery = z.output<typeof reachQuery>;

/** Who reaches a device. */
export const deviceReachSchema = z
  .object({
    total: totalSchema.describe('Active users of the account, of all pages.'),
    people: z.array(personSchema.extend({ rights: z.array(rightSchema) })),
    service_accounts: z
      .array(programSchema.extend({ rights: z.array(rightSchema) }))
      .describe('Active service accounts of the account, on every page. Their tokens may narrow it.'),
    operators: z
      .array(
        z.object({
          role: roleSchema,
          users: z.int().describe('Active users of the operator account with this role.'),
          service_accounts: z.int().describe('Active service accounts of it with this role.'),
          rights: z.array(rightSchema),
        }),
      )
      .describe('Who reaches the device by a role in the operator account; empty for a device of that account.'),
    grants: z.array(grantSchema).describe('The grants whose filter holds for the device.'),
  })
  .meta({
    id: 'DeviceReach',
    examples: [
      {
        total: 1,
        people: [
          {
            ...FLEET.member,
            role: 'Member',
            group: FLEET.group.name,
            rights: [{ permission: 'view', by: 'role', grant: null, until: null }],
          },
        ],
        service_accounts: [],
        operators: [
          {
            role: 'SuperAdmin',
            users: 2,
            service_accounts: 0,
            rights: [{ permission: 'view', by: 'role', grant: null, until: null }],
          },
        ],
        grants: [],
      },
    ],
  });

/** What a user reaches. */
export const userReachSchema = z
  .object({
    restricted: z.boolean().describe('Whether the user reaches by grants alone.'),
    role: roleSchema,
    devices: z.int().describe('Devices of the account that they may view.'),
    total: totalSchema.describe('Devices of the account.'),
    grants: z.array(grantSchema.extend({ devices: z.int().describe('Devices that the filter holds for.') })),
  })
  .meta({ id: 'UserReach', examples: [{ restricted: false, role: 'Member', devices: 12, total: 12, grants: [] }] });

export function grantJson(grant: Grant): GrantJson {
  const { kind } = grant.subject ?? { kind: { case: undefined } };
  const subject =
    kind.case === 'userId'
      ? { kind: 'user' as const, id: kind.value }
      : kind.case === 'groupId'
        ? { kind: 'group' as const, id: kind.value }
        : kind.case === 'serviceAccountId'
          ? { kind: 'service_account' as const, id: kind.value }
          : { kind: 'everyone' as const, id: '' };
  return {
    id: grant.id,
    subject: { ...subject, name: grant.subject?.name ?? '' },
    permissions: permissionNames(grant.permissions),
    filter: grant.filter,
    expires: grant.expires ? timestampDate(grant.expires).toISOString() : null,
    note: grant.note,
    source: grant.source === GrantSource.REQUEST ? 'request' : 'administrator',
    created: isoTime(grant.created),
    created_by: grant.createdBy,
  };
}

export const grantAnswer = (msg: string, grant: Grant) => ({ ...done(msg), result: grantJson(grant) });

export function subjectMessage(subject: CreateGrantBody['subject']): MessageInitShape<typeof GrantSubjectSchema> {
  switch (subject.kind) {
    case 'user':
      return { kind: { case: 'userId', value: subject.id } };
    case 'group':
      return { kind: { case: 'groupId', value: subject.id } };
    case 'service_account':
      return { kind: { case: 'serviceAccountId', value: subject.id } };
    case 'everyone':
      return { kind: { case: 'everyone', value: true } };
  }
}

export function grantMessage(body: UpdateGrantBody): MessageInitShape<typeof GrantContentSchema> {
  return {
    permissions: permissionsOf(body.permissions),
    filter: body.filter,
    ...(body.expires ? { expires: timestampFromDate(new Date(body.expires)) } : {}),
    note: body.note,
  };
}

export function personJson({ user, groupName }: MemberAccess) {
  const { userId = '', name = '', email = '', role = 0 }: Partial<UserCaller> = user ?? {};
  return { id: userId, name, email, role: roleName(role), group: groupName };
}

export function programJson({ user }: MemberAccess) {
  const { userId = '', name = '', role = 0 }: Partial<UserCaller> = user ?? {};
  return { id: userId, name, role: roleName(role) };
}
