import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import type { DomainEntity } from './domain.entity.ts';

type DomainAction = Extract<Audited['action'], `domain.${string}`>;

/** The audit event of a step of a domain. */
export function domainAudited(
  caller: AuditCaller,
  action: DomainAction,
  { id, accountId, name }: DomainEntity,
  details: Audited['details'] = {},
): Event {
  return auditEvent(caller, { action, accountId, target: { kind: 'domain', id, name }, details });
}
