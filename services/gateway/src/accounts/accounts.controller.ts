import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { pageRequest } from '../http/schemas.ts';
import { accountJson, accountListSchema, listAccountsQuery, type ListAccountsQuery } from './account.schemas.ts';

@ApiTags('accounts')
@Controller('api/accounts')
export class AccountsController {
  constructor(@InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>) {}

  @Get()
  @Describe({ summary: 'Lists accounts, by name.', answer: accountListSchema })
  async listAccounts(@CurrentCaller() caller: Caller, @Query({ schema: listAccountsQuery }) query: ListAccountsQuery) {
    const answer = await this.tenancy.listAccounts(caller, { page: pageRequest(query) });
    return { total: answer.total, accounts: answer.accounts.map(accountJson) };
  }
}
