import { Injectable, type OnModuleInit } from '@nestjs/common';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  AuditService,
  type CreateStreamRequest,
  type DeleteStreamRequest,
  type GetEventRequest,
  type GetRetentionRequest,
  type ImportEventsRequest,
  type ListEventsRequest,
  type ListStreamsRequest,
  type RotateStreamSecretRequest,
  type SetRetentionRequest,
  type TestStreamRequest,
  type UpdateStreamRequest,
} from '@warren/proto/audit/v1/audit';
import { Retention } from '../keeping/retention.ts';
import { ListService } from '../list/list.service.ts';
import { StreamsService } from '../streams/settings/streams.service.ts';
import { Importer } from '../recording/importer.ts';

/** AuditService on the bus. */
@Injectable()
export class AuditRpc implements RpcHandlers<typeof AuditService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly lists: ListService,
    private readonly retention: Retention,
    private readonly importer: Importer,
    private readonly streams: StreamsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(AuditService, this);
  }

  listEvents = (caller: Caller, request: ListEventsRequest) => this.lists.list(caller, request);
  getEvent = (caller: Caller, { id }: GetEventRequest) => this.lists.get(caller, id);
  getRetention = (caller: Caller, { accountId }: GetRetentionRequest) => this.retention.get(caller, accountId);
  setRetention = (caller: Caller, request: SetRetentionRequest) => this.retention.set(caller, request);
  listStreams = (caller: Caller, request: ListStreamsRequest) => this.streams.list(caller, request);
  createStream = (caller: Caller, request: CreateStreamRequest) => this.streams.create(caller, request);
  updateStream = (caller: Caller, request: UpdateStreamRequest) => this.streams.update(caller, request);
  deleteStream = (caller: Caller, request: DeleteStreamRequest) => this.streams.delete(caller, request);
  testStream = (caller: Caller, request: TestStreamRequest) => this.streams.test(caller, request);

  rotateStreamSecret = (caller: Caller, request: RotateStreamSecretRequest) =>
    this.streams.rotateSecret(caller, request);

  async importEvents(caller: Caller, { rows }: ImportEventsRequest) {
    requireService(caller, 'identity');
    await this.importer.add(rows);
    return {};
  }
}
