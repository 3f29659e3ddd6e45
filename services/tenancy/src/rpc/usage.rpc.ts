import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { UsageService as Contract, type GetUsageRequest, type ListUsageRequest } from '@warren/proto/tenancy/v1/usage';
import { UsageService } from '../usage/usage.service.ts';

/** UsageService on the bus. */
@Injectable()
export class UsageRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly usage: UsageService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  getUsage = (caller: Caller, request: GetUsageRequest) => this.usage.get(caller, request);
  listUsage = (caller: Caller, request: ListUsageRequest) => this.usage.list(caller, request);
}
