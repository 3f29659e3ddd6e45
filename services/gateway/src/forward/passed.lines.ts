import { passOn } from '@warren/transport/header.lines';
import type { IncomingMessage } from 'node:http';

/** A client's claims about itself, and headers that only replicas of Warren send. */
const CLAIMED = /^(forwarded|x-forwarded-.*|x-real-ip|warren-.*)$/;

/**
 * Builds the header lines of a request that is passed to tunnels: name, value, name, value, …
 * @param keepCookie true for a device's host, whose cookies tunnels reads; the hub's session cookie goes no further
 */
export function passedLines(request: IncomingMessage, clientAddress: string, keepCookie: boolean): string[] {
  const lines = passOn(request.rawHeaders, (name, value) =>
    CLAIMED.test(name) || (name === 'cookie' && !keepCookie) ? undefined : value,
  );
  lines.push('X-Forwarded-For', clientAddress);
  return lines;
}
