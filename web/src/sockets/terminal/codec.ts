import { withoutPrefix } from '../../lib/api/errors.ts';
import type { Size } from './types.ts';

/** Messages of the namespace `/terminal`, from the hub (specification, section 7, and its realtime decisions). */
export interface Registered {
  success: boolean;
  session: string;
  /** Offset of the first byte to follow, in bytes since the terminal started. */
  offset: number;
  /** Bytes that this screen has typed into the terminal so far; null when they are not counted. */
  typed: number | null;
  error: string;
  /** The machine-readable reason of a refusal. */
  code: string;
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
    typed: count(message['typed']),
    error: text(message['error']),
    code: text(message['code']),
  };
}

/** The output's bytes; a string is encoded as UTF-8. Null when the message carries no output. */
export function decodeOutput(value: unknown): Output | null {
  const message = record(value);
  const offset = count(message['offset']);
  const output = message['output'];
  if (typeof output === 'string') return { bytes: encodeText(output), offset };
  if (ArrayBuffer.isView(output)) {
    return { bytes: new Uint8Array(output.buffer, output.byteOffset, output.byteLength), offset };
  }
  // By its tag, because a buffer of another realm is no instance of this one's ArrayBuffer.
  if (Object.prototype.toString.call(output) === '[object ArrayBuffer]') {
    return { bytes: new Uint8Array(output as ArrayBuffer), offset };
  }
  return null;
}

export function decodeExit(value: unknown): { code: number | null; signal: string | null } {
  const message = record(value);
  return { code: count(message['code']), signal: text(message['signal']) || null };
}

/** The hub's reason for refusing a connection; empty for a transport failure, whose message is of no use to people. */
export function decodeRefusal(error: unknown): string {
  const { message, data } = record(error);
  return data === undefined ? '' : withoutPrefix(text(message));
}

/** Typing is always shorter; longer input is a paste, for which latency matters less. */
const TYPED_BYTES = 256;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Encodes input. Text travels as text: bytes would travel as a Socket.IO attachment, in a separate frame behind
 * the event's.
 */
export function encodeInput(bytes: Uint8Array): Uint8Array | string {
  if (bytes.length > TYPED_BYTES) return bytes;
  try {
    return utf8.decode(bytes);
  } catch {
    // Not UTF-8, such as the mouse reports of old programs.
    return bytes;
  }
}

export const decodeReason = (value: unknown): string => text(record(value)['reason']);

/** Whether the device is already back with another connection. */
export const decodeMoved = (value: unknown): boolean => record(value)['code'] === 'moved';

/** How many bytes of this screen the terminal has accepted; null when the message lacks it. */
export const decodeAccepted = (value: unknown): number | null => count(record(value)['typed']);

export interface RegisterMessage extends Size {
  client_sid: string;
  browser_sid: string;
  encoding: 'binary';
  /** Short output may come as text. */
  text: true;
  acks: true;
  writer: string;
  /** Beside the terminal's other windows. */
  join: boolean;
  ask?: 'reader' | 'writer';
  session?: string;
  offset?: number;
}

export function registerMessage(
  ids: { device: string; socket: string; writer: string },
  size: Size,
  resume: { session: string; offset: number } | null,
  sharing: Pick<RegisterMessage, 'join' | 'ask'>,
): RegisterMessage {
  return {
    client_sid: ids.device,
    browser_sid: ids.socket,
    cols: size.cols,
    rows: size.rows,
    encoding: 'binary',
    text: true,
    acks: true,
    writer: ids.writer,
    ...sharing,
    ...resume,
  };
}
