import { create } from '@bufbuild/protobuf';
import {
  AuditActorKind,
  AuditActorSchema,
  AuditEventSchema,
  AuditOutcome,
  type AuditActor,
  type AuditChange,
  type AuditEntry,
} from '@warren/proto/audit/v1/audit';
import { isoTime } from '../http/schemas.ts';
import type { ACTOR_KINDS, AuditEventJson, OUTCOMES } from './audit.schemas.ts';

type Outcome = (typeof OUTCOMES)[number];

const OUTCOME_NAMES: Readonly<Record<AuditOutcome, Outcome>> = {
  [AuditOutcome.UNSPECIFIED]: 'success',
  [AuditOutcome.SUCCESS]: 'success',
  [AuditOutcome.REFUSED]: 'refused',
  [AuditOutcome.FAILED]: 'failed',
};

const KIND_NAMES: Readonly<Record<AuditActorKind, (typeof ACTOR_KINDS)[number]>> = {
  [AuditActorKind.UNSPECIFIED]: 'unknown',
  [AuditActorKind.USER]: 'user',
  [AuditActorKind.TOKEN]: 'token',
  [AuditActorKind.SERVICE_ACCOUNT]: 'service_account',
  [AuditActorKind.GUEST]: 'guest',
  [AuditActorKind.SYSTEM]: 'system',
  [AuditActorKind.DEVICE]: 'device',
};

/** The number of an outcome on the wire. */
export const outcomeNumber = (outcome: Outcome): AuditOutcome =>
  ({ success: AuditOutcome.SUCCESS, refused: AuditOutcome.REFUSED, failed: AuditOutcome.FAILED })[outcome];

/** @param accountName of the event's account; empty for one that is deleted, and for the installation */
export function auditEventJson(entry: AuditEntry, accountName: string): AuditEventJson {
  const { id, time, accountId, event = create(AuditEventSchema) } = entry;
  const { action, target, outcome, reason, grantId, requestId, changes, details } = event;
  const { address = '', userAgent = '' } = event.origin ?? {};
  return {
    id,
    time: isoTime(time),
    account: { id: accountId, name: accountName },
    actor: actorJson(event.actor),
    action,
    target: target ? { kind: target.kind, id: target.id, name: target.name } : null,
    outcome: OUTCOME_NAMES[outcome] ?? 'success',
    reason,
    grant: grantId,
    address,
    userAgent,
    requestId,
    changes: changes.map(changeJson),
    details: detailsOf(details),
  };
}

function actorJson(actor: AuditActor = create(AuditActorSchema)): AuditEventJson['actor'] {
  const { kind, id, name, email } = actor;
  return { kind: KIND_NAMES[kind] ?? 'unknown', id, name, email };
}

function changeJson({ field, before, after, hidden }: AuditChange): AuditEventJson['changes'][number] {
  return {
    field,
    ...(before !== undefined && { before: parsed(before) }),
    ...(after !== undefined && { after: parsed(after) }),
    hidden,
  };
}

function detailsOf(text: string): Record<string, unknown> {
  const details = text === '' ? {} : parsed(text);
  return typeof details === 'object' && details !== null ? { ...details } : {};
}

/** Text that is no JSON, of a later version, is shown as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
