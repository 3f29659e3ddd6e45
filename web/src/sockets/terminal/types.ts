import type { SessionRecording } from '../recording.ts';
import type { OpenSocket } from '../socket.ts';
import type { Ticket } from '../ticket.ts';

/** The states of the terminal widget (specification, section 2). */
export type TerminalState =
  | 'connecting'
  | 'wait'
  | 'connected'
  | 'fail'
  | 'error'
  | 'disconnected'
  | 'client_disconnect'
  | 'exit';

/** The terminal's current state; a new object at each change. */
export interface TerminalStatus {
  state: TerminalState;
  /** The reason in the hub's words, if given. */
  reason?: string;
  /** The time of the next automatic attempt, in ms since epoch; absent when the next step needs the user. */
  retryAt?: number;
  /** The start of the disconnect, in ms since epoch, and the attempts since then. */
  away?: { since: number; tries: number };
  exit?: { code: number | null; signal: string | null };
  /** The owner of the terminal has not answered yet. */
  asking?: true;
}

/** What a person does in a terminal. */
export type TerminalRole = 'reader' | 'writer';

/** A window that shows a terminal. */
export interface TerminalPerson {
  id: string;
  /** The person's id. */
  user: string;
  email: string;
  role: TerminalRole;
  owner: boolean;
  /** Reads without the owner's consent. */
  observes: boolean;
  /** This window. */
  you: boolean;
}

/** Who is in a terminal, and who asks its owner; nobody asks others. */
export interface PeopleInTerminal {
  people: TerminalPerson[];
  requests: { id: string; email: string; role: TerminalRole }[];
}

export interface TerminalEvents {
  status: TerminalStatus;
  /** Bytes to draw, in order, each once. They must be acknowledged with `parsed`. */
  output: Uint8Array;
  /** Another terminal than before: the drawn one has ended, or the user has switched (`chosen`). */
  fresh: { session: string; chosen: boolean };
  /** Output that was lost during a disconnect, in bytes. */
  gap: { bytes: number };
  /** Input that waits for the connection. */
  held: { keys: number; full: boolean };
  /** Typed bytes that may or may not have arrived. */
  unsure: { bytes: number };
  /** The device has passed all input before the offset `typed` to the program. */
  accepted: { typed: number };
  /** The terminal is attached again after a disconnect. */
  back: Record<string, never>;
  people: PeopleInTerminal;
  /** What this window does, and whether it sets the size of the terminal. */
  role: { role: TerminalRole; mine: boolean };
  /** Null: it is not recorded, or nothing is known of that. */
  recording: SessionRecording | null;
  /** Another window types. */
  typing: { id: string };
  /** The terminal's size, which several windows may share. */
  sized: Size;
  /** The screen, in place of output that this browser was too slow for. To be acknowledged with `parsed(0)`. */
  redraw: { bytes: Uint8Array };
  /** From a keystroke to the next output, in ms. */
  echo: { ms: number };
}

export interface Size {
  cols: number;
  rows: number;
}

/** Options of a terminal client. */
export interface TerminalOptions {
  openSocket: OpenSocket;
  /** Requests the ticket of one connection; rejects with TicketRefused. */
  ticket: () => Promise<Ticket>;
  size: Size;
  /** A terminal to attach to, from before the page was loaded. */
  session?: string | null;
  /** Whether that may be another person's: its owner is asked. */
  asks?: boolean;
}
