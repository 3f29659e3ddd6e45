import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  RolloutsService as Contract,
  type ChangeRolloutRequest,
  type ListAgentVersionsRequest,
  type ListRolloutDevicesRequest,
  type ListRolloutsRequest,
  type SetRolloutShareRequest,
  type StartRolloutRequest,
} from '@warren/proto/devices/v1/rollouts';
import { RolloutsService } from './rollouts.service.ts';

/** RolloutsService on the bus. */
@Injectable()
export class RolloutsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly rollouts: RolloutsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listAgentVersions = (caller: Caller, request: ListAgentVersionsRequest) => this.rollouts.versions(caller, request);
  listRollouts = (caller: Caller, request: ListRolloutsRequest) => this.rollouts.list(caller, request);
  startRollout = (caller: Caller, request: StartRolloutRequest) => this.rollouts.start(caller, request);
  setRolloutShare = (caller: Caller, request: SetRolloutShareRequest) => this.rollouts.setShare(caller, request);
  changeRollout = (caller: Caller, request: ChangeRolloutRequest) => this.rollouts.apply(caller, request);
  listRolloutDevices = (caller: Caller, request: ListRolloutDevicesRequest) => this.rollouts.devices(caller, request);
}
