import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';

/** Resolves a name. Names below localhost are this machine, as in browsers (RFC 6761, 6.3). */
export async function addressesOf(host: string): Promise<LookupAddress[]> {
  const name = host.replace(/^\[|\]$/g, '');
  if (/(^|\.)localhost$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }];
  return lookup(name, { all: true });
}
