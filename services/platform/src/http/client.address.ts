import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';

/**
 * Finds the address of the client of a request, IPv4 even when it came mapped into IPv6.
 * @param trusts whether to believe what the hop at an address says of the hop before it, as proxy-addr asks it
 */
export function clientAddressOf(request: IncomingMessage, trusts: (address: string, hop: number) => boolean): string {
  const address = proxyaddr(request, trusts);
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
