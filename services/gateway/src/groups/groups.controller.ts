import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { pageRequest } from '../http/schemas.ts';
import { groupJson, groupListSchema, listGroupsQuery, type ListGroupsQuery } from './group.schemas.ts';

@ApiTags('groups')
@Controller('api/groups')
export class GroupsController {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  @Get()
  @Describe({ summary: 'Lists groups.', answer: groupListSchema, errors: [404] })
  async listGroups(@CurrentCaller() caller: Caller, @Query({ schema: listGroupsQuery }) query: ListGroupsQuery) {
    const answer = await this.tenancy.listGroups(caller, { page: pageRequest(query), accountId: query.account });
    return { total: answer.total, groups: answer.groups.map(groupJson) };
  }
}
