import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  AccessRequestsService as Contract,
  type CreateAccessRequestRequest,
  type DecideAccessRequestRequest,
  type GetAccessRulesRequest,
  type GetTerminalRulesRequest,
  type ListAccessRequestsRequest,
  type SetAccessRulesRequest,
  type WithdrawAccessRequestRequest,
} from '@warren/proto/tenancy/v1/requests';
import { DecisionsService } from '../requests/decisions.service.ts';
import { AccessRequestsService } from '../requests/requests.service.ts';
import { AccessRulesService } from '../requests/rules.service.ts';

/** AccessRequestsService on the bus. */
@Injectable()
export class AccessRequestsRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly rules: AccessRulesService,
    private readonly requests: AccessRequestsService,
    private readonly decisions: DecisionsService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  getAccessRules = (caller: Caller, request: GetAccessRulesRequest) => this.rules.get(caller, request);
  getTerminalRules = (caller: Caller, request: GetTerminalRulesRequest) => this.rules.terminals(caller, request);
  setAccessRules = (caller: Caller, request: SetAccessRulesRequest) => this.rules.set(caller, request);
  listAccessRequests = (caller: Caller, request: ListAccessRequestsRequest) => this.requests.list(caller, request);
  createAccessRequest = (caller: Caller, request: CreateAccessRequestRequest) => this.requests.create(caller, request);
  decideAccessRequest = (caller: Caller, request: DecideAccessRequestRequest) => this.decisions.decide(caller, request);
  withdrawAccessRequest = (caller: Caller, request: WithdrawAccessRequestRequest) =>
    this.requests.withdraw(caller, request);
}
