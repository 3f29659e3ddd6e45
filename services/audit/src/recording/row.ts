import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { followingId, timeOfId } from '@warren/platform/events/event.id';
import type { Event } from '@warren/platform/events/event';
import { AuditEventSchema, type AuditEvent } from '@warren/proto/audit/v1/audit';
import { validate } from 'uuid';

/** The account of events that belong to none. */
export const INSTALLATION = '00000000-0000-0000-0000-000000000000';

/** An event to be stored, without its place in the chain. */
export interface EventRow {
  id: string;
  time: Date;
  accountId: string;
  /** JSON of the AuditEvent, as it is hashed. */
  event: string;
}

/** Columns that lists filter by, all derived from the event. */
export interface Derived {
  action: string;
  actorId: string;
  actorEmail: string;
  targetId: string;
  outcome: number;
  requestId: string;
  searched: string;
}

const YEAR_MS = 365 * 86_400_000;
const MAX_SEARCHED = 4_000;

/**
 * The row of an event. One whose id names no time of the last 30 years gets another id, the same each time, from when the bus got it.
 * @param received when the bus got it
 */
export function rowOf({ id, time, accountId }: Event, event: AuditEvent, received: Date): EventRow {
  const usable = validate(id) && isSane(timeOfId(id), received);
  const made = usable ? id.toLowerCase() : followingId(idAt(received), id);
  const at = time ? timestampDate(time) : new Date(Number.NaN);
  return {
    id: made,
    time: isSane(at.getTime(), received) ? at : new Date(timeOfId(made)),
    accountId: validate(accountId) ? accountId.toLowerCase() : INSTALLATION,
    event: toJsonString(AuditEventSchema, event),
  };
}

function isSane(ms: number, received: Date): boolean {
  return ms > received.getTime() - 30 * YEAR_MS && ms < received.getTime() + 86_400_000;
}

/** The first UUIDv8 of a time. */
function idAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-8000-8000-000000000000`;
}

/** An event as it was stored. Fields that this version does not know are left out. */
export function readEvent(event: string): AuditEvent {
  return fromJsonString(AuditEventSchema, event, { ignoreUnknownFields: true });
}

/** What lists filter by. */
export function derivedOf(event: AuditEvent): Derived {
  const { actor, target, origin, changes } = event;
  const texts = [
    ...[
      event.action,
      actor?.name,
      actor?.email,
      target?.name,
      target?.id,
      origin?.address,
      event.reason,
      event.details,
    ],
    ...changes.flatMap(({ field, before, after }) => [field, before, after]),
  ];
  const searched = texts.filter(Boolean).join('\n').toLowerCase();
  return {
    action: event.action,
    actorId: actor?.id ?? '',
    actorEmail: actor?.email.toLowerCase() ?? '',
    targetId: target?.id ?? '',
    outcome: event.outcome,
    requestId: event.requestId,
    searched: searched.replaceAll('\u0000', ' ').slice(0, MAX_SEARCHED).toWellFormed(),
  };
}
