import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { RolloutEntity } from './rollout.entity.ts';

/** What a person did with a rollout. */
export type RolloutAudit = Pick<Audited, 'action' | 'before' | 'after' | 'details'>;

/** The audit event for a rollout: of its account, or of the operator's for a rollout to all. */
export function rolloutAudited(
  caller: Caller,
  { id, version, accountId }: Pick<RolloutEntity, 'id' | 'version' | 'accountId'>,
  audit: RolloutAudit,
): Event {
  const target = { kind: 'rollout', id, name: version } as const;
  return auditEvent(caller, { ...audit, accountId: accountId ?? requireUser(caller).accountId, target });
}
