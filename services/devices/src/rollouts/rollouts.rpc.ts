import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  RolloutsService as Contract,
  type ChangeRolloutRequest,
  type GetUpdateWindowRequest,
  type ListAgentVersionsRequest,
  type ListRolloutDevicesRequest,
  type ListRolloutsRequest,
  type RetryRolloutDeviceRequest,
  type SetRolloutShareRequest,
  type SetUpdateWindowRequest,
  type StartRolloutRequest,
} from '@warren/proto/devices/v1/rollouts';
import { UpdateWindowsService } from '../windows/update.windows.service.ts';
import { RolloutsService } from './rollouts.service.ts';

/** RolloutsService on the bus. */
@Injectable()
export class RolloutsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly rollouts: RolloutsService,
    private readonly windows: UpdateWindowsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listAgentVersions = (caller: Caller, request: ListAgentVersionsRequest) => this.rollouts.versions(caller, request);
  listRollouts = (caller: Caller, request: ListRolloutsRequest) => this.rollouts.list(caller, request);
  startRollout = (caller: Caller, request: StartRolloutRequest) => this.rollouts.start(caller, request);
  setRolloutShare = (caller: Caller, request: SetRolloutShareRequest) => this.rollouts.setShare(caller, request);
  changeRollout = (caller: Caller, request: ChangeRolloutRequest) => this.rollouts.apply(caller, request);
  retryRolloutDevice = (caller: Caller, request: RetryRolloutDeviceRequest) => this.rollouts.retry(caller, request);
  listRolloutDevices = (caller: Caller, request: ListRolloutDevicesRequest) => this.rollouts.devices(caller, request);
  getUpdateWindow = (caller: Caller, request: GetUpdateWindowRequest) => this.windows.get(caller, request);
  setUpdateWindow = (caller: Caller, request: SetUpdateWindowRequest) => this.windows.set(caller, request);
}
