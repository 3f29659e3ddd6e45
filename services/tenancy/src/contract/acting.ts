import type { Event } from '@warren/platform/events/event';

/** Emits an event in a transaction. */
export type Emit = (event: Event) => void;

/** Adds the actor to events. */
export function actedBy(userId: string, emit: Emit): Emit {
  return (event) => {
    event.actor = userId;
    emit(event);
  };
}
