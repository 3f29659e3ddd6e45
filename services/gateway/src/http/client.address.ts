import type { Request } from 'express';
import ipaddr from 'ipaddr.js';

/** The client's address; IPv4-mapped IPv6 as IPv4. Trusts only the proxies of TRUST_PROXY. */
export function clientAddress(request: Pick<Request, 'ip'>): string {
  return request.ip && ipaddr.isValid(request.ip) ? ipaddr.process(request.ip).toString() : '';
}

/** Whom to count a client as: an IPv4 address, or the /64 network that an IPv6 customer has all to themselves. */
export function clientNetwork(request: Pick<Request, 'ip'>): string {
  const address = clientAddress(request);
  if (!address.includes(':')) return address || 'unknown';
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.split('%', 1)[0]}/64`).toString()}/64`;
}
