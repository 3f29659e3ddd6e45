import { Role } from '@warren/proto/common/v1/common';
import type { UserCaller } from '@warren/proto/common/v1/common';

/** Who a user is for the policy: the role, told apart for the operator account (spec section 6). */
export type Subject =
  | 'superAdmin'
  | 'operatorOwner'
  | 'operatorAdmin'
  | 'operatorMember'
  | 'owner'
  | 'admin'
  | 'member';

const OPERATOR: Partial<Record<Role, Subject>> = {
  [Role.SUPER_ADMIN]: 'superAdmin',
  [Role.OWNER]: 'operatorOwner',
  [Role.ADMIN]: 'operatorAdmin',
  [Role.MEMBER]: 'operatorMember',
};
const CUSTOMER: Partial<Record<Role, Subject>> = {
  [Role.OWNER]: 'owner',
  [Role.ADMIN]: 'admin',
  [Role.MEMBER]: 'member',
};

/** The policy's subject for a user; undefined (so nothing is allowed) for a role that the account cannot have. */
export function subjectOfUser(user: Pick<UserCaller, 'role' | 'operator'>): Subject | undefined {
  return (user.operator ? OPERATOR : CUSTOMER)[user.role];
}
