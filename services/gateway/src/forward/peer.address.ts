import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import type { IncomingMessage } from 'node:http';
import proxyaddr from 'proxy-addr';

/** Who is at the far end of a request. Proxies in front are believed as TRUST_PROXY says, which Express has compiled. */
@Injectable()
export class PeerAddress {
  constructor(private readonly host: HttpAdapterHost) {}

  of(request: IncomingMessage): string {
    const trusts = (this.host.httpAdapter.getInstance() as Express).get('trust proxy fn');
    return proxyaddr(request, trusts);
  }
}
