import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  BulkService as Contract,
  type CancelBulkJobRequest,
  type GetBulkJobRequest,
  type StartBulkJobRequest,
} from '@warren/proto/devices/v1/bulk';
import { BulkService } from './bulk.service.ts';

/** BulkService on the bus. */
@Injectable()
export class BulkRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly bulk: BulkService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  startBulkJob = (caller: Caller, request: StartBulkJobRequest) => this.bulk.start(caller, request);
  listBulkJobs = (caller: Caller) => this.bulk.list(caller);
  getBulkJob = (caller: Caller, request: GetBulkJobRequest) => this.bulk.get(caller, request);
  cancelBulkJob = (caller: Caller, request: CancelBulkJobRequest) => this.bulk.cancel(caller, request);
}
