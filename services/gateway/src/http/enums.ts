import { Role, Status } from '@warren/proto/common/v1/common';
import { z } from 'zod';

/** The role of a group, which its users have (specification, section 6). */
export const roleSchema = z.enum(['SuperAdmin', 'Owner', 'Admin', 'Member', '']).describe('Empty: no role.');
export type RoleName = z.output<typeof roleSchema>;

const ROLES: Record<Role, RoleName> = {
  [Role.UNSPECIFIED]: '',
  [Role.SUPER_ADMIN]: 'SuperAdmin',
  [Role.OWNER]: 'Owner',
  [Role.ADMIN]: 'Admin',
  [Role.MEMBER]: 'Member',
};

/** Returns the role in the spelling of the specification. */
export function roleName(role: Role): RoleName {
  return ROLES[role] ?? '';
}

export const statusSchema = z.enum(['Active', 'Inactive']);

/** Returns `Active` for the active status, else `Inactive`. */
export function statusName(status: Status): 'Active' | 'Inactive' {
  return status === Status.ACTIVE ? 'Active' : 'Inactive';
}
