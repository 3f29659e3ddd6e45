import type { OpenSocket } from '../socket.ts';
import type { Ticket } from '../ticket.ts';

/** The states of the terminal widget (specification, section 2). */
export type TerminalState =
  'connecting' | 'wait' | 'connected' | 'fail' | 'error' | 'disconnected' | 'client_disconnect' | 'exit';

/** What the terminal is right now; a new object at each change. */
export interface TerminalStatus {
  state: TerminalState;
  /** Why, in the hub's words, when it said so. */
  reason?: string;
  /** When the next try starts by itself, in ms since epoch; absent when nothing happens without the user. */
  retryAt?: number;
  /** Since when the connection to a shell has been away, in ms since epoch, and the tries since then. */
  away?: { since: number; tries: number };
  exit?: { code: number | null; signal: string | null };
}

export interface TerminalEvents {
  status: TerminalStatus;
  /** Bytes to draw, in order, each once. They must be confirmed with `parsed`. */
  output: Uint8Array;
  /** Another shell than before: what was drawn belongs to one that has ended, or that the user has left for this one (`chosen`). */
  fresh: { session: string; chosen: boolean };
  /** Output that the device no longer had when the connection came back, in bytes. */
  gap: { bytes: number };
  /** Input that waits for the connection. */
  held: { keys: number; full: boolean };
  /** Typed bytes that may or may not have arrived. */
  unsure: { bytes: number };
  /** The shell is here again after a break. */
  back: Record<string, never>;
  /** From a keystroke to the next output, in ms. */
  echo: { ms: number };
}

export interface Size {
  cols: number;
  rows: number;
}

/** What a terminal client is made with. */
export interface TerminalOptions {
  openSocket: OpenSocket;
  /** Asks for the ticket of one connection; rejects with TicketRefused. */
  ticket: () => Promise<Ticket>;
  size: Size;
  /** A session to come back to, from before the page was loaded. */
  session?: string | null;
}
