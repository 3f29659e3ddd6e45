import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  SavedFiltersService as Contract,
  type DeleteSavedFilterRequest,
  type ExpandFilterRequest,
  type ListSavedFiltersRequest,
  type SaveFilterRequest,
} from '@warren/proto/devices/v1/filters';
import { FilterExpansion } from './filter.keys.ts';
import { SavedFiltersService } from './saved.filters.service.ts';

/** SavedFiltersService on the bus; deleted users take theirs with them. */
@Injectable()
export class SavedFiltersRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly consumer: EventConsumer,
    private readonly filters: SavedFiltersService,
    private readonly expansion: FilterExpansion,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
    this.consumer.on('userDeleted', (_event, { userId }) => this.filters.forget(userId));
  }

  listSavedFilters = (caller: Caller, request: ListSavedFiltersRequest) => this.filters.list(caller, request);
  saveFilter = (caller: Caller, request: SaveFilterRequest) => this.filters.save(caller, request);
  expandFilter = (caller: Caller, request: ExpandFilterRequest) => this.expansion.expand(caller, request);
  deleteSavedFilter = (caller: Caller, request: DeleteSavedFilterRequest) => this.filters.delete(caller, request);
}
