import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import { listTokensQuery, tokenJson, tokenListSchema, type ListTokensQuery } from './token.schemas.ts';

const WHO = 'Owners and Admins for their account, and the operator.';

/** API tokens of the people and service accounts of an account. */
@ApiTags('users')
@Controller('api/tokens')
export class TokensController {
  constructor(@InjectRpc(TokensService) private readonly tokens: RpcClient<typeof TokensService>) {}

  @Get()
  @Describe({
    summary: 'Lists the API tokens of an account.',
    description: `${WHO} Search looks at names, addresses of owners and names of service accounts.`,
    answer: tokenListSchema,
    errors: [404],
  })
  async listTokens(@CurrentCaller() caller: Caller, @Query({ schema: listTokensQuery }) query: ListTokensQuery) {
    const request = { page: pageRequest(query), accountId: query.account };
    const { tokens, total } = await this.tokens.listTokens(caller, request);
    return { total, tokens: tokens.map(tokenJson) };
  }

  @Delete(':id')
  @Describe({
    summary: 'Revokes an API token of an account, and ends what it has opened.',
    description: WHO,
    answer: doneSchema,
    errors: [404],
  })
  async revokeToken(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.tokens.revokeToken(caller, { id });
    return done('token successfully revoked');
  }
}
