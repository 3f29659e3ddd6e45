import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { DomainRow } from './domains.sql.ts';

type DomainAction = Extract<Audited['action'], `domain.${string}`>;

/** The audit event of a step of a domain. */
export function domainAudited(
  caller: AuditCaller,
  action: DomainAction,
  { id, account_id: accountId, name }: DomainRow,
  details: Audited['details'] = {},
): Event {
  return auditEvent(caller, { action, accountId, target: { kind: 'domain', id, name }, details });
}
