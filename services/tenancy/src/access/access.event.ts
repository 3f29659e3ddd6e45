import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import { newEvent, type Event } from '@warren/platform/events/event';
import type { ListedGrant } from './access.sql.ts';

/** A grant that was there before a change, is there after it, or both. */
interface GrantChange {
  before?: GrantFields;
  after?: GrantFields;
}

type GrantFields = Omit<ListedGrant, 'created'>;
type GrantAction = Extract<Audited['action'], `grant.${string}`>;

/** The event for services and consoles: rights in an account are different now. */
export function accessChanged(accountId: string, actor = ''): Event {
  return newEvent({ accountId, actor, kind: { case: 'accessChanged', value: { accountId } } });
}

/** The audit event for a changed grant. */
export function grantAudited(caller: AuditCaller, action: GrantAction, { before, after }: GrantChange): Event {
  const grant = after ?? before;
  if (!grant) throw new Error(`${action} without a grant.`);
  return auditEvent(caller, {
    action,
    accountId: grant.accountId,
    target: { kind: 'grant', id: grant.id, name: subjectOf(grant) },
    grantId: grant.id,
    ...(before && { before: fieldsOf(before) }),
    ...(after && { after: fieldsOf(after) }),
  });
}

function subjectOf({ subjectName: name }: GrantFields): string {
  return name || 'everyone';
}

function fieldsOf(grant: GrantFields) {
  const { userId: user, groupId: group, serviceAccountId: service, permissions, filter, note, expires } = grant;
  const who = user ? { user } : group ? { group } : service ? { service_account: service } : { everyone: true };
  return { ...who, permissions, filter, note, expires: expires?.toISOString() ?? null };
}
