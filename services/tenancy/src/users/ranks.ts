import { Fault } from '@warren/platform/errors/fault';
import type { UserCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { RoleName } from '../contract/enums.ts';
import type { GroupEntity } from '../groups/group.entity.ts';

/**
 * Admins change neither Owners nor SuperAdmins (spec section 6).
 * @throws Fault `permission_denied`
 */
export function requireNarrower(user: UserCaller, target: RoleName): void {
  if (user.role === Role.ADMIN && (target === 'Owner' || target === 'SuperAdmin'))
    throw new Fault('permission_denied', `an Admin may not change a user with the role ${target}.`);
}

/**
 * Owners are assigned and not invited or moved (spec section 5), and only a SuperAdmin makes another.
 * @throws Fault `invalid_argument` for a group of owners, `permission_denied` for SuperAdmins by others
 */
export function requireJoinable(user: UserCaller, group: Pick<GroupEntity, 'name' | 'role'>): void {
  if (group.role === 'Owner')
    throw new Fault('invalid_argument', `${group.name} came; an owner is assigned to the account instead.`);
  if (group.role === 'SuperAdmin' && user.role !== Role.SUPER_ADMIN)
    throw new Fault('permission_denied', `only a SuperAdmin may put anybody into ${group.name}.`);
}
