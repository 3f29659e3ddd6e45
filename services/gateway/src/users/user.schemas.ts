import type { User } from '@warren/proto/tenancy/v1/tenancy';
import { z } from 'zod';
import { roleName, roleSchema, statusName, statusSchema } from '../http/enums.ts';
import { PAGE } from '../http/limits.ts';
import { accountFilterSchema, groupFilterSchema, idSchema, pageFields } from '../http/schemas.ts';

export const listUsersQuery = z.object({
  ...pageFields(PAGE.users),
  account: accountFilterSchema,
  group: groupFilterSchema,
});
export type ListUsersQuery = z.output<typeof listUsersQuery>;

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
  })
  .meta({ id: 'User' });
export type UserJson = z.output<typeof userSchema>;

export const userListSchema = z.object({ total: z.int(), users: z.array(userSchema) }).meta({ id: 'UserList' });

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
  };
}
