import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, SocketAddress } from 'node:net';
import proxyaddr from 'proxy-addr';

const MAPPED = '::ffff:';

/**
 * Finds the address of the client of a request.
 * @param trusts whether to believe what the hop at an address says of the hop before it, as proxy-addr asks it
 */
export function clientAddressOf(request: IncomingMessage, trusts: (address: string, hop: number) => boolean): string {
  return plainAddress(proxyaddr(request, trusts));
}

/** Writes an address in its usual form, IPv4 even when it came mapped into IPv6. Anything else becomes empty. */
export function plainAddress(address: string | undefined): string {
  if (address === undefined) return '';
  const kind = isIP(address);
  if (kind !== 6) return kind === 4 ? address : '';
  const [bare = '', zone] = address.split('%', 2);
  const text = new SocketAddress({ address: bare, family: 'ipv6' }).address;
  const rest = text.slice(MAPPED.length);
  if (text.startsWith(MAPPED) && isIPv4(rest)) return rest;
  return zone === undefined ? text : `${text}%${zone}`;
}
