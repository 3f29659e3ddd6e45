import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EventFilterSchema } from '@warren/proto/audit/v1/audit';
import { AUDIT_ACTIONS, type AuditGroup } from '@warren/rules/audit';
import { outcomeNumber } from './audit.mapper.ts';
import type { AuditFilterQuery } from './audit.schemas.ts';

/** Converts a query to the filter of the audit service. */
export function filterOf(query: AuditFilterQuery): MessageInitShape<typeof EventFilterSchema> {
  const {
    account: accountId,
    from,
    to,
    actor = '',
    action = [],
    target = '',
    outcome,
    request = '',
    search = '',
  } = query;
  return {
    accountId,
    ...(from && { from: timestampFromDate(new Date(from)) }),
    ...(to && { to: timestampFromDate(new Date(to)) }),
    ...(actor.includes('@') ? { actorEmail: actor.toLowerCase() } : { actorId: actor }),
    actions: action.flatMap(actionsOf),
    targetId: target,
    outcomes: outcome ? [outcomeNumber(outcome)] : [],
    requestId: request,
    text: search,
  };
}

/** The actions of a group, `device.*`; one of another version stays as it is, and finds what it finds. */
function actionsOf(action: string): string[] {
  const [group = '', verb] = action.split('.');
  if (verb !== '*') return [action];
  return Object.hasOwn(AUDIT_ACTIONS, group)
    ? AUDIT_ACTIONS[group as AuditGroup].map((name) => `${group}.${name}`)
    : [action];
}
