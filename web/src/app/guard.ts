import type { Session } from '../lib/session.ts';

/** Where the session guard sends someone; null when they may stay. */
export type Turn = { kind: 'login' } | { kind: 'go'; to: string } | null;

/**
 * The session guard of every signed-in route, in the order of the specification (section 4): no session, an invitation to accept,
 * no group or account, not active.
 */
export function guard(session: Session | null): Turn {
  if (!session) return { kind: 'login' };
  if (session.need_accept === 'Yes') return { kind: 'go', to: invitationPath(session) };
  if (!session.group?.role || !session.account) return { kind: 'go', to: '/account_issue' };
  if (session.status !== 'Active') return { kind: 'go', to: '/account_disable' };
  return null;
}

function invitationPath(session: Session): string {
  const query = new URLSearchParams({
    email: session.email,
    account: session.invitation_account ?? session.account,
    token: session.accept_token ?? '',
  });
  return `/accept_invitation?${query}`;
}
