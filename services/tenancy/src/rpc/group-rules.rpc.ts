import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  GroupRulesService as Contract,
  type ListGroupRulesRequest,
  type SetGroupRulesRequest,
} from '@warren/proto/tenancy/v1/group_rules';
import { GroupRulesService } from '../group-rules/group.rules.service.ts';

/** GroupRulesService on the bus. */
@Injectable()
export class GroupRulesRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly rules: GroupRulesService,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  listGroupRules = (caller: Caller, request: ListGroupRulesRequest) => this.rules.list(caller, request);
  setGroupRules = (caller: Caller, request: SetGroupRulesRequest) => this.rules.set(caller, request);
}
