import { passOn } from '@warren/platform/relay/header.lines';
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
  'warren-passed',
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

/** A client's claims about itself; and headers of ours, which no client may send. */
const CLAIMED = /^(forwarded|x-forwarded-.*|x-real-ip|warren-.*)$/;

/** The header lines of a request for a device's host, which goes on as it came: tunnels decides about it. */
export function webPassedLines({ rawHeaders }: IncomingMessage, clientAddress: string): string[] {
  const lines = passOn(rawHeaders, (name, value) => (CLAIMED.test(name) ? undefined : value));
  lines.push('X-Forwarded-For', clientAddress);
  return lines;
}
