import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { faultText } from '../errors/error.text.ts';
import { HTTP_STATUS, type Fault } from '../errors/fault.ts';

/** The response to a refused upgrade. */
export interface Refusal {
  status: number;
  code: string;
  /** `prefix: text`. */
  message: string;
  /** Seconds; jitter is added, so that refused clients do not return all at once. */
  retryAfter?: number | undefined;
}

/** The refusal for a fault, with the status of the one table. */
export function refusalOf(fault: Fault): Refusal {
  return { status: HTTP_STATUS[fault.code], code: fault.code, message: faultText(fault), retryAfter: fault.retryAfter };
}

/**
 * Answers an upgrade request with a status and closes the connection. The body is `{statusCode, code, message}`; `Date` is
 * there so that a device with a wrong clock can see it.
 */
export function refuse(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed) return;
  const { status, code, message } = refusal;
  const body = JSON.stringify({ statusCode: status, code, message });
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    `Date: ${new Date().toUTCString()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  if (status === 426) headers.push('Upgrade: websocket');
  if (refusal.retryAfter !== undefined) headers.push(`Retry-After: ${jittered(refusal.retryAfter)}`);
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
  // Closes the connection of a client that does not.
  setTimeout(() => socket.destroy(), 1_000).unref();
}

/** Whole seconds between `seconds` and twice as many (plus one). */
function jittered(seconds: number): number {
  return Math.ceil(seconds + Math.random() * (seconds + 1));
}
