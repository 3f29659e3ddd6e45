import { Role, Status } from '@warren/proto/common/v1/common';
import type { StatusName } from '../accounts/account.entity.ts';
import type { RoleName } from '../groups/group.entity.ts';

const ROLES: Record<RoleName, Role> = {
  SuperAdmin: Role.SUPER_ADMIN,
  Owner: Role.OWNER,
  Admin: Role.ADMIN,
  Member: Role.MEMBER,
};

export const roleOf = (name: RoleName): Role => ROLES[name];

export const statusOf = (name: StatusName): Status => (name === 'Active' ? Status.ACTIVE : Status.INACTIVE);
