import { z } from 'zod';
import type { RecordingMessage } from '../recordings/mark.ts';

/** Columns and rows of a terminal. */
const cells = z.number().int().min(1).max(1_000);

/** `register`: opens a terminal, or attaches to a running one (spec section 7, decisions 'Realtime'). */
export const registerMessage = z.object({
  cols: cells.default(80),
  rows: cells.default(24),
  session: z.string().max(64).default(''),
  /** The next byte of that terminal's stream that the browser needs. */
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  encoding: z.literal('binary').optional(),
  /** True for a client that requests bytes and accepts text too; of all text, so that its bytes can be counted. */
  text: z.boolean().default(false),
  /** True for a client that acknowledges parsed bytes; otherwise sent bytes count as parsed. */
  acks: z.boolean().default(false),
  /** The screen's id: its typed bytes are counted under it, and `accepted` acknowledges the count. */
  writer: z.string().max(64).default(''),
  /** True to attach beside the terminal's other writers, where its agent can; otherwise it takes over. */
  join: z.boolean().default(false),
  /** Asks the owner of `session` to let this person read or write it. Without effect for the owner. */
  ask: z.enum(['reader', 'writer']).optional(),
});
export type Register = z.output<typeof registerMessage>;

const repeated = z.object({ again: z.literal(true) });

/** Whether a `register` repeats the one of the handshake. */
export const isRepeated = (payload: unknown): boolean => repeated.safeParse(payload).success;

export const inputMessage = z.object({ input: z.union([z.string(), z.instanceof(Buffer)]) });

export const resizeMessage = z.object({ cols: cells, rows: cells });

/** `ack`: all bytes before this offset are parsed. */
export const ackMessage = z.object({ offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });

/** `answer`: the owner lets a person in, or does not. */
export const answerMessage = z.object({ id: z.string().max(64), role: z.enum(['reader', 'writer']).nullable() });

/** `role`: the owner changes what a person may do, or ends it. */
export const roleMessage = z.object({ user: z.uuid(), role: z.enum(['reader', 'writer']).nullable() });

/** `sizing`: whether this window sets the terminal's size. */
export const sizingMessage = z.object({ mine: z.boolean() });

/** What a person does in a shared terminal. */
export type RoomRole = 'reader' | 'writer';

/** Who is in a terminal, and who asks its owner to let them in or type. */
export interface PeopleMessage {
  people: {
    id: string;
    user: string;
    email: string;
    role: RoomRole;
    owner: boolean;
    /** Without the owner's consent: the account's policy allows it. */
    observes: boolean;
    you: boolean;
  }[];
  /** Only to the owner. */
  requests: { id: string; email: string; role: RoomRole }[];
}

/**
 * Why a terminal is refused. `gone`: the user has no such terminal, or it has ended. `limit`: the device is at its limit of terminals.
 * `taken_over`: another screen has attached. `withdrawn`: the right was withdrawn. `full`: the terminal has its maximum of writers or readers.
 * `screen`: the browser is behind, and the screen is too large for a snapshot. `absent`: the owner is not there to let somebody in.
 * `declined`, `removed`: the owner has decided so. `busy`: this socket has one already. `unrecorded`: the account requires a recording, and
 * nothing records now. `outdated`: the account requires a recording, and the device's agent is too old for it.
 */
export type RefusalCode =
  | 'gone'
  | 'limit'
  | 'taken_over'
  | 'withdrawn'
  | 'input_full'
  | 'offset'
  | 'full'
  | 'screen'
  | 'absent'
  | 'declined'
  | 'removed'
  | 'not_connected'
  | 'invalid'
  | 'busy'
  | 'unrecorded'
  | 'outdated'
  | 'failed';

/**
 * Why a terminal lives on without this socket. `moved`: the device has another link already, so reconnect at once. `signed_out`: the
 * browser session has ended.
 */
export type LeaveCode = 'moved' | 'restarting' | 'lost' | 'signed_out';

/** The response to `register`, and later the reason why a terminal was detached from its socket. */
export interface RegisterStatus {
  success: boolean;
  session: string;
  offset: number;
  /** Bytes that this writer has typed into the terminal so far; absent if they are not counted. */
  typed?: number;
  /** Columns and rows of a terminal that can be shared. */
  size?: { cols: number; rows: number };
  /** What this person does in it. */
  role?: RoomRole;
  error?: string;
  code?: RefusalCode;
}

/** Events from the server to a terminal socket. `offset`: position of the first byte of `output` in the terminal's stream. */
export interface ServerMessages {
  register_status: (message: RegisterStatus) => void;
  output: (message: { output: string | Uint8Array; offset: number }) => void;
  exit: (message: { code: number; signal: string }) => void;
  client_disconnect: (message: { reason: string; code: LeaveCode }) => void;
  /** The terminal has accepted this many bytes of the writer since it began. */
  accepted: (message: { typed: number }) => void;
  /** The screen at an offset, in place of output that this browser was too slow for. To be acknowledged by the offset. */
  snapshot: (message: { offset: number; data: Uint8Array; cols: number; rows: number }) => void;
  size: (message: { cols: number; rows: number }) => void;
  people: (message: PeopleMessage) => void;
  /** Only of a terminal whose account records sessions. */
  recording: (message: RecordingMessage) => void;
  /** Another window of the terminal types, by its `id` in `people`. */
  typing: (message: { id: string }) => void;
  /** Another writer has chosen which window sets the size: it is not this one. */
  sizing: (message: { mine: false }) => void;
  /** The owner was asked, and has not answered yet. */
  asking: (message: { role: RoomRole }) => void;
}

/** Events from a browser; their payloads are unknown until a schema has parsed them. */
export interface ClientMessages {
  register: (payload: unknown) => void;
  input: (payload: unknown) => void;
  resize: (payload: unknown) => void;
  ack: (payload: unknown) => void;
  close: () => void;
  answer: (payload: unknown) => void;
  role: (payload: unknown) => void;
  sizing: (payload: unknown) => void;
  /** A reader asks to type. */
  ask: () => void;
}
