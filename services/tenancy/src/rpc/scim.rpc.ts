import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  ScimService,
  type ChangeScimGroupRequest,
  type ChangeScimUserRequest,
  type CreateScimTokenRequest,
  type DeleteScimRequest,
  type ListScimRequest,
  type ListScimTokensRequest,
  type RevokeScimTokenRequest,
  type VerifyScimTokenRequest,
} from '@warren/proto/tenancy/v1/scim';
import { ScimGroupsService } from '../scim/scim.groups.service.ts';
import { ScimTokensService } from '../scim/scim.tokens.service.ts';
import { ScimUsersService } from '../scim/scim.users.service.ts';

/** ScimService on the bus. */
@Injectable()
export class ScimRpc implements RpcHandlers<typeof ScimService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly tokens: ScimTokensService,
    private readonly users: ScimUsersService,
    private readonly groups: ScimGroupsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(ScimService, this);
  }

  createScimToken = (caller: Caller, request: CreateScimTokenRequest) => this.tokens.create(caller, request);
  listScimTokens = (caller: Caller, request: ListScimTokensRequest) => this.tokens.list(caller, request);
  revokeScimToken = (caller: Caller, request: RevokeScimTokenRequest) => this.tokens.revoke(caller, request);
  verifyScimToken = (caller: Caller, request: VerifyScimTokenRequest) => this.tokens.verify(caller, request);
  listScimUsers = (caller: Caller, request: ListScimRequest) => this.users.list(caller, request);
  createScimUser = (caller: Caller, request: ChangeScimUserRequest) => this.users.create(caller, request);
  changeScimUser = (caller: Caller, request: ChangeScimUserRequest) => this.users.change(caller, request);
  deleteScimUser = (caller: Caller, request: DeleteScimRequest) => this.users.delete(caller, request);
  listScimGroups = (caller: Caller, request: ListScimRequest) => this.groups.list(caller, request);
  createScimGroup = (caller: Caller, request: ChangeScimGroupRequest) => this.groups.create(caller, request);
  changeScimGroup = (caller: Caller, request: ChangeScimGroupRequest) => this.groups.change(caller, request);
  deleteScimGroup = (caller: Caller, request: DeleteScimRequest) => this.groups.delete(caller, request);
}
