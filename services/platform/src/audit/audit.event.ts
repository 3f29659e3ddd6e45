import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AuditOutcome, type AuditEventSchema } from '@warren/proto/audit/v1/audit';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import type { AuditAction, AuditTargetKind } from '@warren/rules/audit';
import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../rpc/caller.ts';
import { actorOf, type AuditActorInit } from './audit.actor.ts';
import { changesBetween, jsonText, type AuditFields } from './changes.ts';
import { followingId, timeOfId } from '../events/event.id.ts';
import { plainText } from './plain.ts';

const MAX_DETAILS = 4_000;

/** What happened, as the service that did it says. */
export interface Audited {
  action: AuditAction;
  /** Account whose people may read the event; empty: of the installation. */
  accountId: string;
  target?: { kind: AuditTargetKind; id: string; name?: string };
  /** Success if not given. */
  outcome?: 'success' | 'refused' | 'failed';
  /** Why it was refused or failed, or why the person did it. */
  reason?: string;
  /** The access grant that allowed it. */
  grantId?: string;
  /** The fields of the target as they were and as they are: those that differ are recorded. */
  before?: AuditFields;
  after?: AuditFields;
  /** Fields of `before` and `after` whose values are never recorded, only that they changed. */
  secrets?: readonly string[];
  /** More about it, without secrets; left out if longer than 4,000 characters of JSON. */
  details?: AuditFields;
  /** Replaces the caller: for what a service does for a person, a device or a guest. */
  actor?: AuditActorInit;
  /** The event that this one is a consequence of: a handler that runs twice then records it once, with the time of the first. */
  following?: Pick<Event, 'id' | 'time'>;
}

/** The part of a caller that an audit event repeats. */
export type AuditCaller = Pick<Caller, 'kind' | 'requestId' | 'origin'>;

const OUTCOMES = {
  success: AuditOutcome.SUCCESS,
  refused: AuditOutcome.REFUSED,
  failed: AuditOutcome.FAILED,
} as const;

/**
 * Makes an audit event of the present time, to be emitted in the transaction of the change that it records.
 * @param caller gives the actor, address, user agent and request id
 */
export function auditEvent(caller: AuditCaller, audited: Audited): Event {
  const { accountId, following } = audited;
  const id = following ? followingId(following.id, nameOf(audited)) : uuidv7();
  const value = valueOf(caller, audited);
  return create(EventSchema, {
    id,
    time: following?.time ?? timestampFromMs(timeOfId(id)),
    accountId,
    actor: value.actor.id ?? '',
    kind: { case: 'audit', value },
  });
}

/** Differs between the events that follow from the same one, by action or target. */
function nameOf({ action, target }: Audited): string {
  return `${action}:${target?.id ?? ''}`;
}

function valueOf(caller: AuditCaller, audited: Audited) {
  const { action, target, outcome = 'success', reason, grantId = '', before, after, secrets, details } = audited;
  const { address, userAgent } = caller.origin ?? {};
  return {
    action,
    actor: actorFields(audited.actor ?? actorOf(caller)),
    outcome: OUTCOMES[outcome],
    ...(target && { target: { ...target, name: plainText(target.name) } }),
    reason: plainText(reason),
    grantId,
    ...(caller.origin && { origin: { address: plainText(address), userAgent: plainText(userAgent) } }),
    requestId: plainText(caller.requestId),
    changes: changesBetween(before, after, secrets),
    details: detailsText(details),
  } satisfies MessageInitShape<typeof AuditEventSchema>;
}

function actorFields({ name, email, ...actor }: AuditActorInit) {
  return { ...actor, name: plainText(name), email: plainText(email) };
}

function detailsText(details: AuditFields | undefined): string {
  const text = jsonText(details) ?? '';
  return text.length > MAX_DETAILS ? '' : text;
}
