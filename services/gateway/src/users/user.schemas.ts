import type { User } from '@warren/proto/tenancy/v1/tenancy';
import { z } from 'zod';
import { roleName, roleSchema, statusName, statusSchema } from '../http/enums.ts';
import { PAGE } from '../http/limits.ts';
import { accountFilterSchema, groupFilterSchema, idSchema, pageFields, totalSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const page = pageFields(PAGE.users);

export const listUsersQuery = z.object({ ...page, account: accountFilterSchema, group: groupFilterSchema });
export type ListUsersQuery = z.output<typeof listUsersQuery>;

export const exportUsersQuery = listUsersQuery.pick({ search: true, account: true, group: true });
export type ExportUsersQuery = z.output<typeof exportUsersQuery>;

/** A user (specification, section 3). */
export const userSchema = z
  .object({
    _id: idSchema,
    id: idSchema,
    name: z.string(),
    email: z.string(),
    picture: z.string(),
    account: idSchema.describe('Id of the account.'),
    account_name: z.string(),
    status: statusSchema,
    group: z.object({ id: z.string(), role: roleSchema, name: z.string() }),
    provider: z
      .string()
      .describe('Id of the identity provider whose sign-in the user is bound to; empty until the next sign-in.'),
  })
  .meta({
    id: 'User',
    examples: [
      {
        _id: FLEET.member.id,
        ...FLEET.member,
        picture: '',
        account: FLEET.account.id,
        account_name: FLEET.account.name,
        status: 'Active',
        group: { ...FLEET.group, role: 'Member' },
        provider: 'work',
      },
    ],
  });
export type UserJson = z.output<typeof userSchema>;

export const userListSchema = z.object({ total: totalSchema, users: z.array(userSchema) }).meta({ id: 'UserList' });

export const userAnswerSchema = z.object({ result: userSchema }).meta({ id: 'UserAnswer' });

/** Either another status, or another group. */
export const changeUserBody = z
  .object({
    status: statusSchema.optional(),
    group: idSchema.optional().describe('The group to move to.'),
    old_group: idSchema.optional().describe('The group that you saw the user in; 409 when it is another by now.'),
    account: idSchema.optional().describe('The account of the user.'),
  })
  .refine(({ status, group }) => (status === undefined) !== (group === undefined), {
    path: ['status'],
    message: 'expected either status or group',
  })
  .meta({ id: 'UserChange', examples: [{ status: 'Inactive' }] });
export type ChangeUserBody = z.output<typeof changeUserBody>;

/** A user as the REST interface shows it. */
export function userJson(user: User): UserJson {
  return {
    _id: user.id,
    id: user.id,
    name: user.name,
    email: user.email,
    picture: user.picture,
    account: user.accountId,
    account_name: user.accountName,
    status: statusName(user.status),
    group: { id: user.groupId, role: roleName(user.role), name: user.groupName },
    provider: user.provider,
  };
}
