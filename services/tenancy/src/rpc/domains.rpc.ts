import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  DomainsService as Contract,
  type ClaimDomainRequest,
  type DomainRequest,
  type ListDomainsRequest,
} from '@warren/proto/tenancy/v1/domains';
import { DomainsService } from '../domains/domains.service.ts';

/** DomainsService on the bus. */
@Injectable()
export class DomainsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly domains: DomainsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listDomains = (caller: Caller, request: ListDomainsRequest) => this.domains.list(caller, request);
  claimDomain = (caller: Caller, request: ClaimDomainRequest) => this.domains.claim(caller, request);
  checkDomain = (caller: Caller, request: DomainRequest) => this.domains.check(caller, request);
  confirmDomain = (caller: Caller, request: DomainRequest) => this.domains.confirm(caller, request);
  removeDomain = (caller: Caller, request: DomainRequest) => this.domains.remove(caller, request);
}
