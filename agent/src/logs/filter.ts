import type { JournalEntry } from '../system/journal/entry.ts';

/** What of the journal is wanted. */
export interface LogFilter {
  /** A unit's name, or `kernel`; empty for all. */
  unit: string;
  /** Held by the message or the program's name, in whatever case; empty for all. */
  text: string;
}

/** Whether a line holds the text of a filter. The unit is the journal's own affair, which has an index for it. */
export function textFilter({ text }: LogFilter): (line: JournalEntry) => boolean {
  if (text === '') return () => true;
  const wanted = text.toLowerCase();
  const holds = (part: string) => part.toLowerCase().includes(wanted);
  return ({ message, identifier }) => holds(message) || holds(identifier);
}

/** About how many bytes a line takes in a message. */
export function sizeOf({ cursor, unit, identifier, message }: JournalEntry): number {
  return Buffer.byteLength(message) + Buffer.byteLength(unit) + Buffer.byteLength(identifier) + cursor.length + 32;
}
