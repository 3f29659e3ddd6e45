import { create } from '@bufbuild/protobuf';
import {
  AuditActorKind,
  AuditActorSchema,
  AuditOutcome,
  type AuditActor,
  type AuditChange,
} from '@warren/proto/audit/v1/audit';
import type { StoredEvent } from '../../list/list.sql.ts';
import { INSTALLATION, readEvent } from '../../recording/row.ts';

const KINDS: Readonly<Partial<Record<AuditActorKind, string>>> = {
  [AuditActorKind.USER]: 'user',
  [AuditActorKind.TOKEN]: 'token',
  [AuditActorKind.GUEST]: 'guest',
  [AuditActorKind.SYSTEM]: 'system',
  [AuditActorKind.DEVICE]: 'device',
};

/** An event as receivers get it. The fields that `GET /api/audit/events` has, too, have the same names there. */
export interface EventJson {
  id: string;
  time: string;
  /** Empty for the installation. */
  accountId: string;
  /** Its place in the chain of its account: a receiver recognises repeated and missing events by it. */
  sequence: number;
  actor: { kind: string; id: string; name: string; email: string; onBehalfOf: string };
  action: string;
  target: { kind: string; id: string; name: string } | null;
  outcome: string;
  reason: string;
  grant: string;
  address: string;
  userAgent: string;
  requestId: string;
  changes: { field: string; before?: unknown; after?: unknown; hidden: boolean }[];
  details: unknown;
  /** Present if changes and details are left out, as the event is too large for the receiver. */
  truncated?: true;
}

/** An event for receivers. */
export function eventJson(stored: StoredEvent): EventJson {
  const { action, actor, target, outcome, reason, grantId, origin, requestId, changes, details } = readEvent(
    stored.event,
  );
  return {
    id: stored.id,
    time: stored.time.toISOString(),
    accountId: stored.accountId === INSTALLATION ? '' : stored.accountId,
    sequence: Number(stored.sequence),
    actor: actorJson(actor),
    action,
    target: target ? { kind: target.kind, id: target.id, name: target.name } : null,
    outcome: outcomeName(outcome),
    reason,
    grant: grantId,
    address: origin?.address ?? '',
    userAgent: origin?.userAgent ?? '',
    requestId,
    changes: changes.map(changeJson),
    details: details === '' ? {} : parsed(details),
  };
}

function actorJson(actor: AuditActor = create(AuditActorSchema)): EventJson['actor'] {
  const { kind, id, name, email, onBehalfOf } = actor;
  return { kind: KINDS[kind] ?? 'unknown', id, name, email, onBehalfOf };
}

function changeJson({ field, before, after, hidden }: AuditChange): EventJson['changes'][number] {
  return {
    field,
    ...(before !== undefined && { before: parsed(before) }),
    ...(after !== undefined && { after: parsed(after) }),
    hidden,
  };
}

/** The JSON of an event in at most so many bytes: without changes and details if it is larger. */
export function boundedJson(event: EventJson, mostBytes: number): string {
  const whole = JSON.stringify(event);
  if (Buffer.byteLength(whole) <= mostBytes) return whole;
  const { reason, userAgent } = event;
  const short = { ...event, reason: clipped(reason), userAgent: clipped(userAgent) };
  return JSON.stringify({ ...short, changes: [], details: {}, truncated: true });
}

function outcomeName(outcome: AuditOutcome): string {
  if (outcome === AuditOutcome.REFUSED) return 'refused';
  return outcome === AuditOutcome.FAILED ? 'failed' : 'success';
}

const clipped = (text: string) => (text.length > 500 ? `${text.slice(0, 499).toWellFormed()}…` : text);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
