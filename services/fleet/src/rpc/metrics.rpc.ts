import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  MetricsService as Contract,
  type GetMetricsRequest,
  type GetSparklinesRequest,
  type ListBootsRequest,
  type ReportMetricsRequest,
} from '@warren/proto/fleet/v1/metrics';
import { HistoryService } from '../metrics/history.service.ts';
import { ReportService } from '../metrics/report.service.ts';

/** MetricsService on the bus. */
@Injectable()
export class MetricsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly reports: ReportService,
    private readonly history: HistoryService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  reportMetrics = (caller: Caller, request: ReportMetricsRequest) => this.reports.report(caller, request);
  getMetrics = (caller: Caller, request: GetMetricsRequest) => this.history.metrics(caller, request);
  listBoots = (caller: Caller, request: ListBootsRequest) => this.history.boots(caller, request);
  getSparklines = (caller: Caller, request: GetSparklinesRequest) => this.history.sparklines(caller, request);
}
