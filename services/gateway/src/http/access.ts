import { Fault } from '@warren/platform/errors/fault';
import { Status } from '@warren/proto/common/v1/common';
import type { ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';

/** Why somebody who is signed in has no access; named after the console's notices (spec section 2). */
export type Denial = 'need_accept' | 'account_issue' | 'account_disable';

const TEXT: Record<Denial, string> = {
  need_accept: 'an invitation waits for you; accept it first.',
  account_issue: 'you are not associated with any account.',
  account_disable: 'your user or your account is disabled.',
};

/** A signed-in person without access. `reason` is the `code` of the HTTP answer. */
export class AccessDenied extends Fault {
  readonly reason: Denial;

  constructor(reason: Denial) {
    super('permission_denied', TEXT[reason]);
    this.reason = reason;
  }
}

/** What keeps a person out, in the order of the console's guard (spec section 4); nothing for an active user. */
export function denialOf(member: ResolveMemberResponse): Denial | undefined {
  const { user, invitation } = member;
  if (!user) return invitation ? 'need_accept' : 'account_issue';
  if (!user.accountId || !user.groupId) return 'account_issue';
  return isActive(member) ? undefined : 'account_disable';
}

/** A user of an inactive account is inactive. */
function isActive(member: ResolveMemberResponse): boolean {
  return member.user?.status === Status.ACTIVE && member.accountStatus === Status.ACTIVE;
}
