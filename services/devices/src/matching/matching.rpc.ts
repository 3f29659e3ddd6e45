import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  MatchingService as Contract,
  type CountMatchesRequest,
  type ListDeviceAccountsRequest,
  type MatchDevicesRequest,
} from '@warren/proto/devices/v1/matching';
import { MatchingService } from './matching.service.ts';

/** MatchingService on the bus. */
@Injectable()
export class MatchingRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly matching: MatchingService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  matchDevices = (caller: Caller, request: MatchDevicesRequest) => this.matching.match(caller, request);
  countMatches = (caller: Caller, request: CountMatchesRequest) => this.matching.count(caller, request);
  listDeviceAccounts = (caller: Caller, request: ListDeviceAccountsRequest) => this.matching.accounts(caller, request);
}
