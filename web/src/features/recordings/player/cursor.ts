import { offsetAfter, type RecordedEvent } from '@warren/rules/recordings/frames';

/** What is drawn next: an event of a chunk, and from which of its bytes on. */
export interface Cursor {
  sequence: number;
  event: number;
  /** Bytes of an output that are drawn already, as part of a snapshot. */
  skip: number;
  /** Offset of output before the event, with `skip`. */
  offset: number;
}

/** The cursor behind a snapshot. @param begin offset at which the events of the chunk begin */
export function cursorAt(sequence: number, events: readonly RecordedEvent[], begin: number, offset: number): Cursor {
  let before = begin;
  for (const [index, event] of events.entries()) {
    const after = offsetAfter(before, event);
    if (after > offset) {
      const skip = event.kind === 'output' && before < offset ? offset - before : 0;
      return { sequence, event: index, skip, offset: before + skip };
    }
    before = after;
  }
  return { sequence, event: events.length, skip: 0, offset: before };
}

/** Moves the cursor behind the event that it is at. */
export function advance(cursor: Cursor, event: RecordedEvent): void {
  cursor.offset = offsetAfter(cursor.offset - cursor.skip, event);
  cursor.skip = 0;
  cursor.event += 1;
}

/** Whether something happens in an event that people see. */
export const isSeen = ({ kind }: RecordedEvent): boolean => kind === 'output' || kind === 'resize' || kind === 'gap';

/** The last event that people see before a time. */
export function timeBefore(events: readonly RecordedEvent[], ms: number): number | undefined {
  return events.findLast((event) => event.atMs < ms && isSeen(event))?.atMs;
}
