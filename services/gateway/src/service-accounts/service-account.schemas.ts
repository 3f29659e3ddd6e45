import { create } from '@bufbuild/protobuf';
import { serviceAccountPermissions } from '@warren/platform/policy/policy';
import { Role, Status, UserCallerSchema } from '@warren/proto/common/v1/common';
import type { ServiceAccount } from '@warren/proto/tenancy/v1/service_accounts';
import {
  SERVICE_ACCOUNT_LIMITS,
  serviceAccountDescription,
  serviceAccountName,
  serviceAccountRole,
  type ServiceAccountRole,
} from '@warren/rules/service-accounts';
import { z } from 'zod';
import { done, doneSchema } from '../http/done.ts';
import { roleName, statusName, statusSchema } from '../http/enums.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const role = serviceAccountRole.describe('What it may do at most; never more than the person who creates it.');
const description = serviceAccountDescription.describe(
  `What it is for. At most ${SERVICE_ACCOUNT_LIMITS.description} characters.`,
);

export const createServiceAccountBody = z
  .strictObject({
    name: serviceAccountName.meta({
      description: `At most ${SERVICE_ACCOUNT_LIMITS.name} characters, unlike any other of the account. It stays.`,
      examples: ['CI runner'],
    }),
    description: description.default(''),
    role,
  })
  .meta({
    id: 'CreateServiceAccount',
    examples: [{ name: 'CI runner', description: 'Nightly tests', role: 'Member' }],
  });
export type CreateServiceAccountBody = z.output<typeof createServiceAccountBody>;

/** All of a service account but its name. */
export const updateServiceAccountBody = z.strictObject({ description, role, status: statusSchema }).meta({
  id: 'UpdateServiceAccount',
  examples: [{ description: 'Nightly tests', role: 'Member', status: 'Inactive' }],
});
export type UpdateServiceAccountBody = z.output<typeof updateServiceAccountBody>;

const serviceAccountSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    handle: z.string().describe('Stands for it where addresses of people are shown. No mail reaches it.'),
    description: z.string(),
    role: z.enum(['Admin', 'Member']),
    status: statusSchema,
    permissions: z.array(z.string()).describe('What its tokens can have, if their creator has it too.'),
    created_at: timeSchema,
    created_by: z.string(),
  })
  .meta({
    id: 'ServiceAccount',
    examples: [
      {
        id: FLEET.program.id,
        name: FLEET.program.name,
        handle: FLEET.program.handle,
        description: 'Nightly tests',
        role: 'Member',
        status: 'Active',
        permissions: ['devices.open', 'devices.read'],
        created_at: FLEET.at,
        created_by: FLEET.owner.email,
      },
    ],
  });

export const serviceAccountListSchema = z
  .object({ service_accounts: z.array(serviceAccountSchema) })
  .meta({ id: 'ServiceAccountList', description: 'By name.' });

export const serviceAccountAnswerSchema = doneSchema
  .extend({ result: serviceAccountSchema })
  .meta({ id: 'ServiceAccountAnswer' });

const ROLES: Record<ServiceAccountRole, Role> = { Admin: Role.ADMIN, Member: Role.MEMBER };

export const roleNumber = (name: ServiceAccountRole): Role => ROLES[name];
export const statusNumber = (name: z.output<typeof statusSchema>): Status =>
  name === 'Active' ? Status.ACTIVE : Status.INACTIVE;

export function serviceAccountJson(account: ServiceAccount): z.output<typeof serviceAccountSchema> {
  const { subject = create(UserCallerSchema), description: about, status, created, createdBy } = account;
  return {
    id: subject.userId,
    name: subject.name,
    handle: subject.email,
    description: about,
    role: roleName(subject.role) === 'Admin' ? 'Admin' : 'Member',
    status: statusName(status),
    permissions: serviceAccountPermissions(subject),
    created_at: isoTime(created),
    created_by: createdBy,
  };
}

export const serviceAccountAnswer = (msg: string, account: ServiceAccount) => ({
  ...done(msg),
  result: serviceAccountJson(account),
});
