import { Inject, Injectable } from '@nestjs/common';
import type { OriginInit } from '@warren/platform/rpc/caller';
import { clientAddressOf } from '@warren/platform/http/client.address';
import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';
import { TUNNELS_CONFIG, type TunnelsConfig } from './config.ts';

/** Of what a browser sends, the rest is dropped. */
const MAX_USER_AGENT = 400;

/** The client's address as reported by the ingress, a gateway or another replica; other reports are ignored. */
@Injectable()
export class ClientAddress {
  private readonly trusts: (address: string, hop: number) => boolean;

  constructor(@Inject(TUNNELS_CONFIG) config: TunnelsConfig) {
    const trusted = proxyaddr.compile(config.TRUSTED_HOPS);
    // Trusts one hop only: the proxy in front overwrites the header or appends the address that it saw.
    this.trusts = (address, hop) => hop === 0 && trusted(address, hop);
  }

  of(request: IncomingMessage): string {
    return clientAddressOf(request, this.trusts);
  }
}

/** Where a browser is, for the audit trail. */
export function originOf(request: IncomingMessage, address: ClientAddress): OriginInit {
  return { address: address.of(request), userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT) };
}
