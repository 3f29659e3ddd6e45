import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  TenancyService,
  type AssignOwnerRequest,
  type CreateAccountRequest,
  type CreateGroupRequest,
  type DeleteAccountRequest,
  type DeleteGroupRequest,
  type GetAccountRequest,
  type GetGroupRequest,
  type GetQuotasRequest,
  type ListAccountsRequest,
  type ListGroupNamesRequest,
  type ListGroupsRequest,
  type ListUsersRequest,
  type ResolveMemberRequest,
  type SetAccountStatusRequest,
  type SetQuotasRequest,
} from '@warren/proto/tenancy/v1/tenancy';
import { AccountsService } from '../accounts/accounts.service.ts';
import { GroupManagement } from '../lifecycle/group-management.service.ts';
import { GroupsService } from '../groups/groups.service.ts';
import { AccountManagement } from '../lifecycle/account-management.service.ts';
import { Ownership } from '../lifecycle/ownership.service.ts';
import { MembersService } from '../members/members.service.ts';
import { QuotasService } from '../quotas/quotas.service.ts';
import { UsersService } from '../users/users.service.ts';

/** TenancyService on the bus. */
@Injectable()
export class TenancyRpc implements RpcHandlers<typeof TenancyService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly accounts: AccountsService,
    private readonly accountManagement: AccountManagement,
    private readonly ownership: Ownership,
    private readonly groups: GroupsService,
    private readonly groupManagement: GroupManagement,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly quotas: QuotasService,
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
  createAccount = (caller: Caller, request: CreateAccountRequest) => this.accountManagement.create(caller, request);
  assignOwner = (caller: Caller, request: AssignOwnerRequest) => this.ownership.assign(caller, request);
  setAccountStatus = (caller: Caller, request: SetAccountStatusRequest) =>
    this.accountManagement.setStatus(caller, request);
  deleteAccount = (caller: Caller, request: DeleteAccountRequest) => this.accountManagement.remove(caller, request);
  createGroup = (caller: Caller, request: CreateGroupRequest) => this.groupManagement.create(caller, request);
  getGroup = (caller: Caller, request: GetGroupRequest) => this.groups.get(caller, request);
  deleteGroup = (caller: Caller, request: DeleteGroupRequest) => this.groupManagement.remove(caller, request);
  listGroupNames = (caller: Caller, request: ListGroupNamesRequest) => this.groups.names(caller, request);
  getQuotas = (caller: Caller, request: GetQuotasRequest) => this.quotas.get(caller, request);
  setQuotas = (caller: Caller, request: SetQuotasRequest) => this.quotas.set(caller, request);
}
