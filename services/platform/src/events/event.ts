import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import { v7 as uuidv7 } from 'uuid';

export type { Event };

/** What can happen, as the proto's oneof names it: `deviceChanged`, `accountDeleted`, … */
export type EventKind = NonNullable<Event['kind']['case']>;
/** The event's own data, by kind. */
export type EventData<K extends EventKind> = Extract<Event['kind'], { case: K }>['value'];

export const EVENT_STREAM = 'WARREN_EVENTS';
export const EVENT_SUBJECTS = 'warren.events.>';

type EventInit = Omit<MessageInitShape<typeof EventSchema>, 'id' | 'time' | '$typeName'>;

/** A new event with its own id and the present time. */
export function newEvent(init: EventInit): Event {
  return create(EventSchema, { ...init, id: uuidv7(), time: timestampNow() } as MessageInitShape<typeof EventSchema>);
}

/** `warren.events.{kind}`, the kind as the proto spells it. */
export function eventSubject(event: Event): string {
  if (!event.kind.case) throw new Error('An event without a kind cannot be published.');
  return subjectOfKind(event.kind.case);
}

/** The subject of a kind of event. */
export function subjectOfKind(kind: EventKind): string {
  const field = EventSchema.fields.find(({ localName }) => localName === kind);
  if (!field) throw new Error(`An event of the kind ${kind} cannot be published.`);
  return `warren.events.${field.name}`;
}
