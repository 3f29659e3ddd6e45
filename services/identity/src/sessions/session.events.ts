import { auditEvent, type AuditCaller } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import type { StoredSession } from '@warren/proto/identity/v1/identity';
import { hashOf } from '../secrets/secret.ts';

/** How a session ends. */
export interface Ending {
  /** Whose request ended it. */
  caller: AuditCaller;
  action: 'session.sign_out' | 'session.end';
  /** Why, for people; empty for the person's own doing. */
  reason?: string;
  /** Whether the person of the session ended it; else the caller did. */
  own?: boolean;
}

/** The public id of a session. The hash stays internal: it identifies the session between services. */
export function idOf(hash: string): string {
  return hashOf('session id', hash).slice(0, 32);
}

/** The audit event of a sign-in. */
export function signedIn(caller: AuditCaller, hash: string, session: StoredSession): Event {
  const { saml } = session;
  const details = { provider: saml?.provider };
  return sessionEvent(caller, hash, session, { action: 'session.sign_in', own: true, details });
}

/** The audit event of a session's end. */
export function endedBy({ caller, ...ending }: Ending, hash: string, session: StoredSession): Event {
  return sessionEvent(caller, hash, session, ending);
}

interface What extends Omit<Ending, 'caller' | 'action'> {
  action: Ending['action'] | 'session.sign_in';
  details?: Record<string, unknown>;
}

function sessionEvent(caller: AuditCaller, hash: string, session: StoredSession, what: What): Event {
  const { action, reason = '', own, details } = what;
  const { saml, userId, userAccountId: accountId } = session;
  const { email = '', name = '' } = saml ?? {};
  return auditEvent(caller, {
    action,
    accountId,
    target: { kind: 'session', id: idOf(hash), name: email },
    reason,
    ...(details && { details }),
    ...(own && { actor: { kind: AuditActorKind.USER, id: userId, name, email, accountId } }),
  });
}
