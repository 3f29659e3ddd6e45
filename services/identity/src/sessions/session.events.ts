import { auditEvent, type AuditCaller } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import type { StoredSession } from '@warren/proto/identity/v1/identity';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { v7 as uuidv7 } from 'uuid';
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

/** The audit event of a session's expiry: the same each time that it is made. @param ms when it expired, milliseconds since 1970 */
export function expiredAt(ms: number, hash: string, session: StoredSession, reason: string): Event {
  const following = { id: uuidv7({ msecs: ms, random: new Uint8Array(16), seq: 0 }), time: timestampFromMs(ms) };
  return sessionEvent(serviceCaller('identity'), hash, session, { action: 'session.end', reason, following });
}

interface What extends Omit<Ending, 'caller' | 'action'> {
  action: Ending['action'] | 'session.sign_in';
  details?: Record<string, unknown>;
  following?: Pick<Event, 'id' | 'time'>;
}

function sessionEvent(caller: AuditCaller, hash: string, session: StoredSession, what: What): Event {
  const { action, reason = '', own, details, following } = what;
  const { saml, userId, userAccountId: accountId } = session;
  const { email = '', name = '' } = saml ?? {};
  return auditEvent(caller, {
    action,
    accountId,
    target: { kind: 'session', id: idOf(hash), name: email },
    reason,
    ...(details && { details }),
    ...(following && { following }),
    ...(own && { actor: { kind: AuditActorKind.USER, id: userId, name, email, accountId } }),
  });
}
