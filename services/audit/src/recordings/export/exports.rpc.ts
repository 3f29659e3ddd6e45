import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  RecordingExportsService,
  type CancelExportRequest,
  type ReadExportRequest,
} from '@warren/proto/audit/v1/recordings';
import { RecordingExports } from './recording.exports.ts';

/** RecordingExportsService on the bus, under the name of this process. */
@Injectable()
export class RecordingExportsRpc implements RpcHandlers<typeof RecordingExportsService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly exports: RecordingExports,
  ) {}

  onModuleInit(): void {
    this.server.serve(RecordingExportsService, this, this.exports.instance);
  }

  readExport = (caller: Caller, request: ReadExportRequest) => this.exports.read(caller, request);
  cancelExport = (caller: Caller, request: CancelExportRequest) => this.exports.cancel(caller, request);
}
