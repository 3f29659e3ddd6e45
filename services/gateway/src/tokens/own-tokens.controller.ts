import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { TOKEN_LIMITS } from '@warren/rules/tokens';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  createTokenBody,
  ownTokenListSchema,
  tokenCreatedSchema,
  tokenJson,
  type CreateTokenBody,
} from './token.schemas.ts';

/** One's own API tokens. */
@ApiTags('profile')
@Controller('api/profile/tokens')
export class OwnTokensController {
  constructor(@InjectRpc(TokensService) private readonly tokens: RpcClient<typeof TokensService>) {}

  @Get()
  @Describe({ summary: 'Lists your own API tokens.', answer: ownTokenListSchema })
  async listOwnTokens(@CurrentCaller() caller: Caller) {
    const { tokens } = await this.tokens.listOwnTokens(caller, {});
    return { tokens: tokens.map(tokenJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Creates an API token for your programs.',
    description: `It may do what its permissions say, and never more than you may at that time. At most ${TOKEN_LIMITS.perPerson} are in force for a person, and ${TOKEN_LIMITS.perAccount} in an account.`,
    answer: tokenCreatedSchema,
    status: 201,
    errors: [409],
  })
  async createToken(@CurrentCaller() caller: Caller, @Body({ schema: createTokenBody }) body: CreateTokenBody) {
    const { secret, token } = await this.tokens.createToken(caller, body);
    if (!token) throw new Fault('internal', 'The identity service answered without a token.');
    return { ...done('token successfully created'), result: tokenJson(token), secret };
  }

  @Delete(':id')
  @Describe({
    summary: 'Revokes one of your own API tokens, and ends what it has opened.',
    answer: doneSchema,
    errors: [404],
  })
  async revokeOwnToken(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.tokens.revokeToken(caller, { id, own: true });
    return done('token successfully revoked');
  }
}
