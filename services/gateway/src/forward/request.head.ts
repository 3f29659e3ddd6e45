import type { IncomingMessage } from 'node:http';

/** What the gateway itself says of a request that it passes on. */
export interface Passed {
  clientAddress: string;
  proto: string;
  requestId: string;
  /** The device that the connection is for; a replica that does not hold it answers 421. */
  deviceId?: string | undefined;
}

/**
 * Said by the gateway alone, whatever the client claims; or of no meaning behind it. The session's cookie opens no door
 * there, so it stays here.
 */
const OURS = new Set([
  'connection',
  'content-length',
  'cookie',
  'forwarded',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'warren-device',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

/** The header lines of a passed request: name, value, name, value, … */
export function passedHeaders(request: IncomingMessage, passed: Passed): string[] {
  const lines: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2);
    if (!OURS.has(name.toLowerCase())) lines.push(name, value);
  }
  lines.push('Connection', 'Upgrade', 'Upgrade', request.headers.upgrade ?? '');
  lines.push('X-Forwarded-For', passed.clientAddress, 'X-Forwarded-Proto', passed.proto);
  lines.push('X-Request-Id', passed.requestId);
  if (passed.deviceId) lines.push('Warren-Device', passed.deviceId);
  return lines;
}

/** An answer's head as it goes to the client. Anything but a 101 ends the connection, so no second request can follow. */
export function answerHead(answer: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ''}`];
  const upgraded = answer.statusCode === 101;
  for (let index = 0; index + 1 < answer.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(index, index + 2);
    const hop = ['connection', 'keep-alive', 'transfer-encoding'].includes(name.toLowerCase());
    if (upgraded || !hop) lines.push(`${name}: ${value}`);
  }
  if (!upgraded) lines.push('Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n`;
}
