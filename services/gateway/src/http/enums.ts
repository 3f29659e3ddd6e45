import { Role, Status } from '@warren/proto/common/v1/common';
import { z } from 'zod';

/** A group's role, which is its users' role (specification, section 6). */
export const roleSchema = z.enum(['SuperAdmin', 'Owner', 'Admin', 'Member', '']).describe('Empty: no role.');
export type RoleName = z.output<typeof roleSchema>;

const ROLES: Record<Role, RoleName> = {
  [Role.UNSPECIFIED]: '',
  [Role.SUPER_ADMIN]: 'SuperAdmin',
  [Role.OWNER]: 'Owner',
  [Role.ADMIN]: 'Admin',
  [Role.MEMBER]: 'Member',
};

/** The role as the specification spells it. */
export function roleName(role: Role): RoleName {
  return ROLES[role] ?? '';
}

export const statusSchema = z.enum(['Active', 'Inactive']);

/** `Active`, or `Inactive` for everything that is not. */
export function statusName(status: Status): 'Active' | 'Inactive' {
  return status === Status.ACTIVE ? 'Active' : 'Inactive';
}
