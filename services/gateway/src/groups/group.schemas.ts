import type { Group, GroupName } from '@warren/proto/tenancy/v1/tenancy';
import { groupName } from '@warren/rules/names';
import { z } from 'zod';
import { roleName, roleSchema } from '../http/enums.ts';
import { accountFilterSchema, idSchema, pageFields, yesNo, yesNoSchema, totalSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';
import { doneSchema } from '../http/done.ts';

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
  .meta({
    id: 'Group',
    examples: [
      {
        _id: FLEET.group.id,
        ...FLEET.group,
        account: FLEET.account.id,
        account_id: FLEET.account.id,
        account_name: FLEET.account.name,
        role: 'Member',
        user_count: 4,
        default: 'No',
      },
    ],
  });
export type GroupJson = z.output<typeof groupSchema>;

export const groupListSchema = z.object({ total: totalSchema, groups: z.array(groupSchema) }).meta({ id: 'GroupList' });

export const groupAnswerSchema = z.object({ msg: groupSchema.describe('The group.') }).meta({ id: 'GroupAnswer' });

export const newGroupBody = z
  .object({
    name: groupName.meta({ description: 'Letters, digits and spaces.', examples: ['Field crew'] }),
    role: z.enum(['Admin', 'Member']).describe('Admin: can invite more people. Member: can access all devices.'),
    account: idSchema.describe('The account that the group will belong to.'),
    default: z.literal('No').default('No').describe('Default groups come with their account only.'),
  })
  .meta({
    id: 'NewGroup',
    examples: [{ name: FLEET.group.name, role: 'Member', account: FLEET.account.id, default: 'No' }],
  });
export type NewGroupBody = z.output<typeof newGroupBody>;

export const groupMadeSchema = doneSchema.extend({ group: groupSchema }).meta({ id: 'GroupMade' });

export const groupDeletedSchema = doneSchema
  .extend({
    moved_to: z.string().describe('Name of the group that its users and pending invitations are in now.'),
    moved_users: z.int(),
  })
  .meta({ id: 'GroupDeleted', examples: [{ msg: 'group successfully deleted', moved_to: 'Members', moved_users: 4 }] });

/** A group to choose: its name, and enough to know what it gives. */
const groupNameSchema = z
  .object({ _id: idSchema, id: idSchema, name: z.string(), role: roleSchema, default: yesNoSchema })
  .meta({ id: 'GroupName', examples: [{ _id: FLEET.group.id, ...FLEET.group, role: 'Member', default: 'No' }] });

export const groupNamesSchema = z.object({ groups: z.array(groupNameSchema) }).meta({ id: 'GroupNames' });

/** A group to choose as the REST interface shows it. */
export function groupNameJson({ id, name, role, default: made }: GroupName): z.output<typeof groupNameSchema> {
  return { _id: id, id, name, role: roleName(role), default: yesNo(made) };
}

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
