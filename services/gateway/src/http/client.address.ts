import { plainAddress } from '@warren/platform/http/client.address';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/**
 * Returns the client's address; empty if there is none. Express finds it as platform's `clientAddressOf` does, and trusts only the proxies
 * of TRUST_PROXY.
 */
export function clientAddress(request: Pick<Request, 'ip'>): string {
  return plainAddress(request.ip);
}

/** Returns the rate-limit key of a client: its IPv4 address, or its /64 network for IPv6. */
export function clientNetwork(request: Pick<Request, 'ip'>): string {
  const address = clientAddress(request);
  if (!address.includes(':')) return address || 'unknown';
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0]}/64`).toString()}/64`;
}
