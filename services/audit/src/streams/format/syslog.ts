import { boundedJson, type EventJson } from './event.json.ts';

/** Facility 13, log audit (RFC 5424, 6.2.1). */
const FACILITY = 13;
const INFORMATIONAL = 6;
const WARNING = 4;
/** Every receiver should accept this much (RFC 5424, 6.1; RFC 5425, 4.3.1). */
const MAX_BYTES = 8_192;
const HEADER_BYTES = 512;
const NOT_PRINTABLE = /[^!-~]/g;

/**
 * An event as a syslog message (RFC 5424): the action as MSGID, the event as JSON in MSG.
 * @param host the hub's host name
 */
export function syslogMessage(event: EventJson, host: string): string {
  const severity = event.outcome === 'success' ? INFORMATIONAL : WARNING;
  const msg = boundedJson(event, MAX_BYTES - HEADER_BYTES);
  return message(severity, event.time, host, event.action, msg);
}

/** A message that only shows that the receiver is reached. */
export function syslogTest(at: Date, host: string): string {
  return message(INFORMATIONAL, at.toISOString(), host, 'test', JSON.stringify({ test: true, time: at.toISOString() }));
}

/** A message as a frame of octet counting (RFC 5425, 4.3). */
export function framed(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

function message(severity: number, time: string, host: string, id: string, msg: string): string {
  const name = (text: string, most: number) => text.replace(NOT_PRINTABLE, '').slice(0, most) || '-';
  // The byte order mark says that MSG is UTF-8 (RFC 5424, 6.4).
  return `<${FACILITY * 8 + severity}>1 ${time} ${name(host, 255)} warren - ${name(id, 32)} [origin software="Warren"] \uFEFF${msg}`;
}
