import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import type { ListFilterUsesRequest } from '@warren/proto/common/v1/common';
import {
  AccessService as Contract,
  type CreateGrantRequest,
  type DeleteGrantRequest,
  type GetAccessRequest,
  type ListMembersAccessRequest,
  type ListRestrictableRequest,
  type ListRestrictedRequest,
  type SetAccessModeRequest,
  type UpdateGrantRequest,
} from '@warren/proto/tenancy/v1/access';
import { AccessService } from '../access/access.service.ts';
import { GrantsService } from '../access/grants.service.ts';
import { SavedFilters } from '../access/saved.filters.ts';

/** AccessService on the bus. */
@Injectable()
export class AccessRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly access: AccessService,
    private readonly grants: GrantsService,
    private readonly saved: SavedFilters,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  getAccess = (caller: Caller, request: GetAccessRequest) => this.access.get(caller, request);
  createGrant = (caller: Caller, request: CreateGrantRequest) => this.grants.create(caller, request);
  updateGrant = (caller: Caller, request: UpdateGrantRequest) => this.grants.update(caller, request);
  deleteGrant = (caller: Caller, request: DeleteGrantRequest) => this.grants.delete(caller, request);
  setAccessMode = (caller: Caller, request: SetAccessModeRequest) => this.access.setMode(caller, request);
  listMembersAccess = (caller: Caller, request: ListMembersAccessRequest) => this.access.members(caller, request);
  listRestrictable = (caller: Caller, request: ListRestrictableRequest) => this.access.restrictable(caller, request);
  listRestricted = (caller: Caller, request: ListRestrictedRequest) => this.access.restricted(caller, request);
  listFilterUses = (caller: Caller, request: ListFilterUsesRequest) => this.saved.uses(caller, request);
}
