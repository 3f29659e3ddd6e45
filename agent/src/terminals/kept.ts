import { Recording } from '@warren/proto/agent/v1/agent';
import * as z from 'zod';
import type { Pin, PtySize } from '../system/pty.ts';

/** Changes of the size that a note has room for; older ones are left out. */
const SIZES = 80;

const count = z.int().min(0);

/** What an agent notes about a terminal for a later one. */
const noted = z.object({
  userId: z.string().min(1).max(128),
  userEmail: z.string().max(320),
  /** Milliseconds since 1970. */
  startedAt: count,
  record: z.enum(Recording),
  /** The sizes that a recorder may not have read, by offset. */
  sizes: z.array(z.tuple([count, count, count])).max(SIZES),
  /** The terminal has ended for everybody but its recorder. */
  isClosed: z.boolean(),
  /** Its recorder has stored all of it. Agents of versions before don't note it. */
  isStored: z.boolean().default(false),
  /** What its person calls it. Agents of versions before note none. */
  name: z.string().max(256).default(''),
});
export type TerminalNote = z.infer<typeof noted>;

/** A terminal's state: of a new one, or as a former agent left it. */
export interface TerminalState extends TerminalNote {
  id: string;
  size: PtySize;
  /** Offsets in the output: the oldest byte that is kept, and the first one that a writer or the recorder still needs. */
  start: number;
  seen: number;
  /** Bytes typed by each writer, the latest last. */
  typed: [writer: string, count: number][];
  pin?: Pin | undefined;
}

/** A person's new terminal of this size. */
export function newState(id: string, userId: string, userEmail: string, size: PtySize): TerminalState {
  const own = { id, userId, userEmail, startedAt: Date.now(), size };
  const note = { record: Recording.UNSPECIFIED, sizes: [], isClosed: false, isStored: false, name: '' };
  return { ...own, ...note, start: 0, seen: 0, typed: [] };
}

/** Encodes a note; fewer than 4 KiB. */
export function encodeNote({
  userId,
  userEmail,
  startedAt,
  record,
  sizes,
  isClosed,
  isStored,
  name,
}: TerminalNote): Buffer {
  const terminal = { userId, userEmail, startedAt, name };
  const note: TerminalNote = { ...terminal, record, sizes: sizes.slice(-SIZES), isClosed, isStored };
  return Buffer.from(JSON.stringify(note));
}

/** @throws ZodError, SyntaxError for what no agent notes */
export const parseNote = (note: Buffer): TerminalNote => noted.parse(JSON.parse(note.toString()));
