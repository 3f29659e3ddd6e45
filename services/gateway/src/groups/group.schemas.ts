import type { Group } from '@warren/proto/tenancy/v1/tenancy';
import { z } from 'zod';
import { roleName, roleSchema } from '../http/enums.ts';
import { accountFilterSchema, idSchema, pageFields, yesNo, yesNoSchema } from '../http/schemas.ts';

export const listGroupsQuery = z.object({ ...pageFields(), account: accountFilterSchema });
export type ListGroupsQuery = z.output<typeof listGroupsQuery>;

/** A group (specification, section 3). */
export const groupSchema = z
  .object({
    _id: idSchema,
    id: idSchema,
    name: z.string(),
    account: idSchema.describe('Id of its account, as account_id.'),
    account_id: idSchema,
    account_name: z.string(),
    role: roleSchema,
    user_count: z.int(),
    default: yesNoSchema.describe('Yes: every account has it, and it cannot be deleted.'),
  })
  .meta({ id: 'Group' });
export type GroupJson = z.output<typeof groupSchema>;

export const groupListSchema = z.object({ total: z.int(), groups: z.array(groupSchema) }).meta({ id: 'GroupList' });

/** A group as the REST interface shows it. */
export function groupJson(group: Group): GroupJson {
  return {
    _id: group.id,
    id: group.id,
    name: group.name,
    account: group.accountId,
    account_id: group.accountId,
    account_name: group.accountName,
    role: roleName(group.role),
    user_count: group.userCount,
    default: yesNo(group.default),
  };
}
