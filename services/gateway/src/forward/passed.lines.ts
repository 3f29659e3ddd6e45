import { passOn } from '@warren/transport/header.lines';
import type { IncomingMessage } from 'node:http';

/** A client's claims about itself, and headers that replicas of Warren send to each other. */
const CLAIMED = /^(forwarded|x-forwarded-.*|x-real-ip|warren-device|warren-passed)$/;
/** For a device's program, headers of ours have no meaning at all. */
const CLAIMED_TO_DEVICE = /^(forwarded|x-forwarded-.*|x-real-ip|warren-.*)$/;

/**
 * Builds the header lines of a request that is passed to tunnels: name, value, name, value, …
 * @param toDevice true for a device's host: its cookies go along, which tunnels reads. The hub's session cookie goes no further
 */
export function passedLines(request: IncomingMessage, clientAddress: string, toDevice: boolean): string[] {
  const claimed = toDevice ? CLAIMED_TO_DEVICE : CLAIMED;
  const lines = passOn(request.rawHeaders, (name, value) =>
    claimed.test(name) || (name === 'cookie' && !toDevice) ? undefined : value,
  );
  lines.push('X-Forwarded-For', clientAddress);
  return lines;
}
