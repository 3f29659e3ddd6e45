import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** Returns the client's address; IPv4-mapped IPv6 as IPv4. Trusts only the proxies of TRUST_PROXY. */
export function clientAddress(request: Pick<Request, 'ip'>): string {
  return request.ip && ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : '';
}

/** Returns the rate-limit key of a client: its IPv4 address, or its /64 network for IPv6. */
export function clientNetwork(request: Pick<Request, 'ip'>): string {
  const address = clientAddress(request);
  if (!address.includes(':')) return address || 'unknown';
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0]}/64`).toString()}/64`;
}
