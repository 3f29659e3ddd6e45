import type { Size } from './types.ts';

/** Messages of the namespace `/terminal`, from the hub (specification, section 7, and its realtime decisions). */
export interface Registered {
  success: boolean;
  session: string;
  /** Offset of the first byte that will be sent, in bytes since the session began. */
  offset: number;
  error: string;
}

export interface Output {
  bytes: Uint8Array;
  /** Offset of the first byte; null from a hub that does not number them. */
  offset: number | null;
}

const encoder = new TextEncoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** A 'binary string' (one char for each byte, as xterm's `onBinary` gives) as bytes. */
export const encodeBinaryString = (text: string): Uint8Array =>
  Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff);

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export function decodeRegistered(value: unknown): Registered {
  const message = record(value);
  return {
    success: message['success'] === true,
    session: text(message['session']),
    offset: count(message['offset']) ?? 0,
    error: text(message['error']),
  };
}

/** Bytes as they came; a string is taken as UTF-8 text. Null when the message carries no output. */
export function decodeOutput(value: unknown): Output | null {
  const message = record(value);
  const offset = count(message['offset']);
  const output = message['output'];
  if (typeof output === 'string') return { bytes: encodeText(output), offset };
  if (ArrayBuffer.isView(output)) {
    return { bytes: new Uint8Array(output.buffer, output.byteOffset, output.byteLength), offset };
  }
  // By its tag, because a buffer that was made in another realm is no instance of this one's ArrayBuffer.
  if (Object.prototype.toString.call(output) === '[object ArrayBuffer]') {
    return { bytes: new Uint8Array(output as ArrayBuffer), offset };
  }
  return null;
}

export function decodeExit(value: unknown): { code: number | null; signal: string | null } {
  const message = record(value);
  return { code: count(message['code']), signal: text(message['signal']) || null };
}

/** Why the hub refused a connection, in its words; empty for a failure of the transport, whose words help nobody. */
export function decodeRefusal(error: unknown): string {
  const { message, data } = record(error);
  return data === undefined ? '' : text(message);
}

export const decodeReason = (value: unknown): string => text(record(value)['reason']);

export interface RegisterMessage extends Size {
  client_sid: string;
  browser_sid: string;
  encoding: 'binary';
  acks: true;
  session?: string;
  offset?: number;
}

export function registerMessage(
  ids: { device: string; socket: string },
  size: Size,
  resume: { session: string; offset: number } | null,
): RegisterMessage {
  return {
    client_sid: ids.device,
    browser_sid: ids.socket,
    cols: size.cols,
    rows: size.rows,
    encoding: 'binary',
    acks: true,
    ...resume,
  };
}

const FRAME_BYTES = 16 * 1024;

/** Cuts input into frames that stay far below the hub's limit for one message. */
export function* frames(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += FRAME_BYTES) yield bytes.slice(at, at + FRAME_BYTES);
}
