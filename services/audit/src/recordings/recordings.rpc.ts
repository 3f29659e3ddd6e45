import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  RecordingsService,
  type DeleteRecordingRequest,
  type FindSnapshotRequest,
  type GetRecordingPolicyRequest,
  type GetRecordingRequest,
  type GetRecordingSettingsRequest,
  type HoldRecordingRequest,
  type ListChunksRequest,
  type ListRecordingsRequest,
  type ReadChunkRequest,
  type SearchRecordingsRequest,
  type SetRecordingSettingsRequest,
  type StartExportRequest,
} from '@warren/proto/audit/v1/recordings';
import { RecordingExports } from './export/recording.exports.ts';
import { RecordingManager } from './manage/manage.service.ts';
import { RecordingPolicyService } from './manage/policy.service.ts';
import { RecordingSettingsService } from './manage/settings.service.ts';
import { SearchService } from './search/search.service.ts';
import { PlayService } from './view/play.service.ts';
import { ViewService } from './view/view.service.ts';

/** RecordingsService on the bus. */
@Injectable()
export class RecordingsRpc implements RpcHandlers<typeof RecordingsService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly views: ViewService,
    private readonly player: PlayService,
    private readonly manager: RecordingManager,
    private readonly settings: RecordingSettingsService,
    private readonly policy: RecordingPolicyService,
    private readonly search: SearchService,
    private readonly exports: RecordingExports,
  ) {}

  onModuleInit(): void {
    this.server.serve(RecordingsService, this);
  }

  listRecordings = (caller: Caller, request: ListRecordingsRequest) => this.views.list(caller, request);
  getRecording = (caller: Caller, { id }: GetRecordingRequest) => this.views.get(caller, id);
  listChunks = (caller: Caller, request: ListChunksRequest) => this.views.chunks(caller, request);
  readChunk = (caller: Caller, request: ReadChunkRequest) => this.player.chunk(caller, request);
  findSnapshot = (caller: Caller, request: FindSnapshotRequest) => this.player.snapshot(caller, request);
  searchRecordings = (caller: Caller, request: SearchRecordingsRequest) => this.search.search(caller, request);
  startExport = (caller: Caller, request: StartExportRequest) => this.exports.start(caller, request);
  deleteRecording = (caller: Caller, { id }: DeleteRecordingRequest) => this.manager.delete(caller, id);
  holdRecording = (caller: Caller, request: HoldRecordingRequest) => this.manager.hold(caller, request);
  setRecordingSettings = (caller: Caller, request: SetRecordingSettingsRequest) => this.settings.set(caller, request);
  getRecordingPolicy = (caller: Caller, request: GetRecordingPolicyRequest) => this.policy.get(caller, request);

  getRecordingSettings = (caller: Caller, { accountId }: GetRecordingSettingsRequest) =>
    this.settings.get(caller, accountId);
}
