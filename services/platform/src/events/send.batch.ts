import { EventRefused } from './event.bus.ts';

/** What became of the events that were sent together. */
export interface SentBatch<T> {
  published: T[];
  waiting: T[];
  /** The first error; undefined if all were published. */
  error: unknown;
  /** Whether the bus does not answer at all. If not, it refuses the events that wait, and may accept others. */
  down: boolean;
}

/** Sends events in their order, without waiting for each acknowledgement. @param publish of {@link EventBus} */
export async function sendBatch<T>(events: readonly T[], publish: (event: T) => Promise<void>): Promise<SentBatch<T>> {
  const results = await Promise.allSettled(events.map(publish));
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  const published = events.filter((_event, at) => results[at]?.status === 'fulfilled');
  return {
    published,
    waiting: events.filter((_event, at) => results[at]?.status === 'rejected'),
    error: errors[0],
    down: published.length === 0 && errors.some((error) => !(error instanceof EventRefused)),
  };
}
