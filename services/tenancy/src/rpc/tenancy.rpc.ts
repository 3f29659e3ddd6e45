import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  TenancyService,
  type GetAccountRequest,
  type ListAccountsRequest,
  type ListGroupsRequest,
  type ListUsersRequest,
  type ResolveMemberRequest,
} from '@warren/proto/tenancy/v1/tenancy';
import { AccountsService } from '../accounts/accounts.service.ts';
import { GroupsService } from '../groups/groups.service.ts';
import { MembersService } from '../members/members.service.ts';
import { UsersService } from '../users/users.service.ts';

/** TenancyService on the bus. */
@Injectable()
export class TenancyRpc implements RpcHandlers<typeof TenancyService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly accounts: AccountsService,
    private readonly groups: GroupsService,
    private readonly users: UsersService,
    private readonly members: MembersService,
  ) {}

  onModuleInit(): void {
    this.server.serve(TenancyService, this);
  }

  resolveMember = (caller: Caller, request: ResolveMemberRequest) => this.members.resolve(caller, request);
  listAccounts = (caller: Caller, request: ListAccountsRequest) => this.accounts.list(caller, request);
  getAccount = (caller: Caller, request: GetAccountRequest) => this.accounts.get(caller, request);
  listGroups = (caller: Caller, request: ListGroupsRequest) => this.groups.list(caller, request);
  listUsers = (caller: Caller, request: ListUsersRequest) => this.users.list(caller, request);
  getWorkspace = (caller: Caller) => this.accounts.workspace(caller);
}
