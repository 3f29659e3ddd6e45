import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  ServiceAccountsService as Contract,
  type CreateServiceAccountRequest,
  type DeleteServiceAccountRequest,
  type GetServiceAccountRequest,
  type ListServiceAccountsRequest,
  type UpdateServiceAccountRequest,
} from '@warren/proto/tenancy/v1/service_accounts';
import { ServiceAccountsService } from '../service-accounts/service-accounts.service.ts';

/** ServiceAccountsService on the bus. */
@Injectable()
export class ServiceAccountsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly accounts: ServiceAccountsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listServiceAccounts = (caller: Caller, request: ListServiceAccountsRequest) => this.accounts.list(caller, request);
  getServiceAccount = (caller: Caller, request: GetServiceAccountRequest) => this.accounts.get(caller, request);
  createServiceAccount = (caller: Caller, request: CreateServiceAccountRequest) =>
    this.accounts.create(caller, request);
  updateServiceAccount = (caller: Caller, request: UpdateServiceAccountRequest) =>
    this.accounts.update(caller, request);
  deleteServiceAccount = (caller: Caller, request: DeleteServiceAccountRequest) =>
    this.accounts.delete(caller, request);
}
