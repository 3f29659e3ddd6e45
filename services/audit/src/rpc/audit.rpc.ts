import { Injectable, type OnModuleInit } from '@nestjs/common';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  AuditService,
  type GetEventRequest,
  type GetRetentionRequest,
  type ImportEventsRequest,
  type ListEventsRequest,
  type SetRetentionRequest,
} from '@warren/proto/audit/v1/audit';
import { Retention } from '../keeping/retention.ts';
import { ListService } from '../list/list.service.ts';
import { Importer } from '../recording/importer.ts';

/** AuditService on the bus. */
@Injectable()
export class AuditRpc implements RpcHandlers<typeof AuditService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly lists: ListService,
    private readonly retention: Retention,
    private readonly importer: Importer,
  ) {}

  onModuleInit(): void {
    this.server.serve(AuditService, this);
  }

  listEvents = (caller: Caller, request: ListEventsRequest) => this.lists.list(caller, request);
  getEvent = (caller: Caller, { id }: GetEventRequest) => this.lists.get(caller, id);
  getRetention = (caller: Caller, { accountId }: GetRetentionRequest) => this.retention.get(caller, accountId);
  setRetention = (caller: Caller, request: SetRetentionRequest) => this.retention.set(caller, request);

  async importEvents(caller: Caller, { rows }: ImportEventsRequest) {
    requireService(caller, 'identity');
    await this.importer.add(rows);
    return {};
  }
}
