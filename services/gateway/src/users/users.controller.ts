import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { pageRequest } from '../http/schemas.ts';
import { listUsersQuery, userJson, userListSchema, type ListUsersQuery } from './user.schemas.ts';

@ApiTags('users')
@Controller('api/users')
export class UsersController {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  @Get()
  @Describe({ summary: 'Lists users.', answer: userListSchema, errors: [404] })
  async listUsers(@CurrentCaller() caller: Caller, @Query({ schema: listUsersQuery }) query: ListUsersQuery) {
    const { account: accountId, group: groupId } = query;
    const answer = await this.tenancy.listUsers(caller, { page: pageRequest(query), accountId, groupId });
    return { total: answer.total, users: answer.users.map(userJson) };
  }
}
