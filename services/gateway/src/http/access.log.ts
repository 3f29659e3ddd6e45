import type { AccessFields } from '@warren/platform/telemetry/logger';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import type { SignedInRequest } from './signed-in.request.ts';
import { clientAddress } from './client.address.ts';

/**
 * Personal data in the access log. `full`: the client's address, user and account; `network`: its network and the account;
 * `none`: none.
 */
export const accessLogSchema = z.enum(['full', 'network', 'none'], {
  error: 'expected full, network or none',
});
export type AccessLog = z.output<typeof accessLogSchema>;

/** Prefix lengths of logged networks, as providers assign them to customers. */
const NETWORK_BITS = { ipv4: 24, ipv6: 48 } as const;

/** Fields of the access log about the caller. */
export function accessFields(log: AccessLog): AccessFields {
  if (log === 'none') return () => ({});
  return (request) => {
    const { caller } = request as SignedInRequest;
    const user = caller?.kind.case === 'user' ? caller.kind.value : undefined;
    const address = clientAddress(request as Request);
    if (log === 'network') return { client: networkOf(address), account: user?.accountId };
    return { client: address, user: user?.userId, account: user?.accountId };
  };
}

function networkOf(address: string): string {
  if (!address) return '';
  const parsed = ipaddr.parse(address.split('%', 1)[0] ?? '');
  const cidr = `${parsed.toString()}/${NETWORK_BITS[parsed.kind()]}`;
  const kind = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(cidr).toString()}/${NETWORK_BITS[parsed.kind()]}`;
}
