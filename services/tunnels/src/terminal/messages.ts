import { z } from 'zod';

/** Columns and rows of a terminal. */
const cells = z.number().int().min(1).max(1_000);

/** `register`: opens a terminal, or comes back to one that still runs (spec section 7, decisions 'Realtime'). */
export const registerMessage = z.object({
  cols: cells.default(80),
  rows: cells.default(24),
  session: z.string().max(64).default(''),
  /** The next byte that the browser wants of that session. */
  offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  encoding: z.literal('binary').optional(),
  /** True for a client that asks for bytes and takes text too; of all text, so that its bytes can be counted. */
  text: z.boolean().default(false),
  /** True for a client that acknowledges parsed bytes; otherwise sent bytes count as parsed. */
  acks: z.boolean().default(false),
  /** The screen's id: its typed bytes are counted under it, and `accepted` acknowledges the count. */
  writer: z.string().max(64).default(''),
});
export type Register = z.output<typeof registerMessage>;

const repeated = z.object({ again: z.literal(true) });

/** Whether a `register` says that it came with the connection already. */
export const isRepeated = (payload: unknown): boolean => repeated.safeParse(payload).success;

export const inputMessage = z.object({ input: z.union([z.string(), z.instanceof(Buffer)]) });

export const resizeMessage = z.object({ cols: cells, rows: cells });

/** `ack`: all bytes before this offset are parsed. */
export const ackMessage = z.object({ offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });

/**
 * Why a terminal can't be had. `gone`: there is no such session of this person (any more). `limit`: the device has as many as it
 * allows. `taken_over`: another screen shows it. `withdrawn`: the right to it is. `busy`: this socket has one already.
 */
export type RefusalCode =
  | 'gone'
  | 'limit'
  | 'taken_over'
  | 'withdrawn'
  | 'input_full'
  | 'offset'
  | 'not_connected'
  | 'invalid'
  | 'busy'
  | 'failed';

/**
 * Why a terminal lives on without this socket. `moved`: the device has another link already, so come back at once. `signed_out`: the
 * browser session has ended.
 */
export type LeaveCode = 'moved' | 'restarting' | 'lost' | 'signed_out';

/** The answer to `register`, and later the reason why a terminal has been taken from its socket. */
export interface RegisterStatus {
  success: boolean;
  session: string;
  offset: number;
  /** Bytes that this writer has typed into the session until now; absent when that is not counted. */
  typed?: number;
  error?: string;
  code?: RefusalCode;
}

/** Events from the server to a terminal socket. `offset`: position of the first byte of `output` in the terminal's stream. */
export interface ServerMessages {
  register_status: (message: RegisterStatus) => void;
  output: (message: { output: string | Uint8Array; offset: number }) => void;
  exit: (message: { code: number; signal: string }) => void;
  client_disconnect: (message: { reason: string; code: LeaveCode }) => void;
  /** The session has taken so many bytes of this writer since it began. */
  accepted: (message: { typed: number }) => void;
}

/** What a browser may send; the payloads are unknown until their schema has seen them. */
export interface ClientMessages {
  register: (payload: unknown) => void;
  input: (payload: unknown) => void;
  resize: (payload: unknown) => void;
  ack: (payload: unknown) => void;
  close: () => void;
}
