import { create } from '@bufbuild/protobuf';
import { UserCallerSchema, type AccessGrant, type UserCaller } from '@warren/proto/common/v1/common';
import type { User } from '@warren/proto/tenancy/v1/tenancy';

/** What tenancy says of a member. */
interface Member {
  user?: User;
  operator: boolean;
  explicitGrants: boolean;
  grants: AccessGrant[];
  serviceAccount: boolean;
}

/** The caller that a member is; undefined without a user. */
export function callerOfMember({
  user,
  operator,
  explicitGrants,
  grants,
  serviceAccount,
}: Member): UserCaller | undefined {
  if (!user) return undefined;
  const { id: userId, email, name, accountId, role } = user;
  const access = { role, operator, explicitGrants, grants };
  return create(UserCallerSchema, { userId, email, name, accountId, ...access, serviceAccount });
}
