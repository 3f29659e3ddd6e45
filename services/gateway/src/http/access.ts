import { Fault } from '@warren/platform/errors/fault';
import { Status } from '@warren/proto/common/v1/common';
import type { ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';

/** Why a signed-in person has no access; named after the console's notices (specification, section 2). */
export type Denial = 'need_accept' | 'account_issue' | 'account_disable';

const TEXT: Record<Denial, string> = {
  need_accept: 'an invitation waits for you; accept it first.',
  account_issue: 'you are not associated with any account.',
  account_disable: 'your user or your account is disabled.',
};

/** A signed-in person has no access. `reason` becomes the `code` of the response. */
export class AccessDenied extends Fault {
  readonly reason: Denial;

  constructor(reason: Denial) {
    super('permission_denied', TEXT[reason]);
    this.reason = reason;
  }
}

/** Returns why a person has no access, in the order of the console's guard (specification, section 4); undefined for an active user. */
export function denialOf(member: ResolveMemberResponse): Denial | undefined {
  const { user, invitation, serviceAccount } = member;
  if (!user) return invitation ? 'need_accept' : 'account_issue';
  // A service account is in no group.
  if (!user.accountId || (!user.groupId && !serviceAccount)) return 'account_issue';
  return isActive(member) ? undefined : 'account_disable';
}

/** Users of an inactive account are inactive. */
function isActive(member: ResolveMemberResponse): boolean {
  return member.user?.status === Status.ACTIVE && member.accountStatus === Status.ACTIVE;
}
