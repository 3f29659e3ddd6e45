import type { JournalEntry } from '../system/journal/entry.ts';

/** Selects lines of the journal. */
export interface LogFilter {
  /** A unit's name, or `kernel`; empty for all. */
  unit: string;
  /** Substring of the message or the program's name, case-insensitive; empty for all. */
  text: string;
}

/** Whether a line matches the text of a filter. The journal itself filters by unit, with its index. */
export function textFilter({ text }: LogFilter): (line: JournalEntry) => boolean {
  if (text === '') return () => true;
  const wanted = text.toLowerCase();
  const holds = (part: string) => part.toLowerCase().includes(wanted);
  return ({ message, identifier }) => holds(message) || holds(identifier);
}

/** The approximate size of a line in a message, in bytes. */
export function sizeOf({ cursor, unit, identifier, message }: JournalEntry): number {
  return Buffer.byteLength(message) + Buffer.byteLength(unit) + Buffer.byteLength(identifier) + cursor.length + 32;
}
