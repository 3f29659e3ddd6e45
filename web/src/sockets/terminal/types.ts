import type { OpenSocket } from '../socket.ts';
import type { Ticket } from '../ticket.ts';

/** The states of the terminal widget (specification, section 2). */
export type TerminalState =
  'connecting' | 'wait' | 'connected' | 'fail' | 'error' | 'disconnected' | 'client_disconnect' | 'exit';

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
}
