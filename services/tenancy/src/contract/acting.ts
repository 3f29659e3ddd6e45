import type { Event } from '@warren/platform/events/event';

/** Takes the events of a transaction. */
export type Emit = (event: Event) => void;

/** Hands events on with the name of who caused them. */
export function actedBy(userId: string, emit: Emit): Emit {
  return (event) => {
    event.actor = userId;
    emit(event);
  };
}
