import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import { isDeepStrictEqual } from 'node:util';
import type { SavedFilterEntity } from './saved.filter.entity.ts';

export interface FilterChange {
  action: AuditAction;
  before: SavedFilterEntity | undefined;
  after: SavedFilterEntity | undefined;
}

/**
 * The audit event of a change of a saved filter. An own filter stays with a person who changes accounts: its event is in the account that the
 * person belongs to now. @returns undefined if nothing changed
 */
export function filterAudited(caller: Caller, { action, before, after }: FilterChange): Event | undefined {
  const row = after ?? before;
  if (!row || (before && after && isDeepStrictEqual(fieldsOf(before), fieldsOf(after)))) return undefined;
  const isOwn = row.userId !== null;
  return auditEvent(caller, {
    action,
    accountId: isOwn ? requireUser(caller).accountId : row.accountId,
    target: { kind: 'filter', id: row.id, name: row.name },
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
    details: { scope: isOwn ? 'person' : 'account' },
  });
}

function fieldsOf({ name, filter, sort, descending, columns, key }: SavedFilterEntity) {
  return { name, filter, sort, descending, columns, key };
}
