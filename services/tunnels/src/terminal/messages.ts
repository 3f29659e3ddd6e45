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
  /** True for a client that tells what it has parsed; without it what has left this process counts as parsed. */
  acks: z.boolean().default(false),
});
export type Register = z.output<typeof registerMessage>;

export const inputMessage = z.object({ input: z.union([z.string(), z.instanceof(Buffer)]) });

export const resizeMessage = z.object({ cols: cells, rows: cells });

/** `ack`: all bytes before this offset are parsed. */
export const ackMessage = z.object({ offset: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER) });

/** What a terminal socket is told. `offset`: bytes since the session began, of the first byte of `output`. */
export interface ServerMessages {
  register_status: (message: { success: boolean; session: string; offset: number; error?: string }) => void;
  output: (message: { output: string | Uint8Array; offset: number }) => void;
  exit: (message: { code: number; signal: string }) => void;
  client_disconnect: (message: { reason: string }) => void;
}

/** What a browser may send; the payloads are unknown until their schema has seen them. */
export interface ClientMessages {
  register: (payload: unknown) => void;
  input: (payload: unknown) => void;
  resize: (payload: unknown) => void;
  ack: (payload: unknown) => void;
  close: () => void;
}
