import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { ScimService } from '@warren/proto/tenancy/v1/scim';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  createScimTokenBody,
  scimTokenCreatedSchema,
  scimTokenJson,
  scimTokenListSchema,
  type CreateScimTokenBody,
} from './scim-token.schemas.ts';

const WHO = 'SuperAdmins, and Owners for their account.';

/** The tokens with which an account's identity provider calls SCIM. */
@ApiTags('users')
@Controller('api/accounts/:id/scim_tokens')
export class ScimTokensController {
  constructor(@InjectRpc(ScimService) private readonly scim: RpcClient<typeof ScimService>) {}

  @Get()
  @Describe({
    summary: 'Lists the SCIM tokens of an account.',
    description: WHO,
    answer: scimTokenListSchema,
    errors: [404],
  })
  async listScimTokens(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    const { tokens } = await this.scim.listScimTokens(caller, { accountId });
    return { tokens: tokens.map(scimTokenJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Creates a SCIM token, with which an identity provider changes users and groups of the account.',
    description: `${WHO} An account has at most ${SCIM_LIMITS.tokens}. 409 for the operator account.`,
    answer: scimTokenCreatedSchema,
    status: 201,
    errors: [404, 409],
  })
  async createScimToken(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: createScimTokenBody }) body: CreateScimTokenBody,
  ) {
    const { secret, token } = await this.scim.createScimToken(caller, { accountId, ...body });
    if (!token) throw new Fault('internal', 'The tenancy service answered without a token.');
    return { ...done('SCIM token successfully created'), result: scimTokenJson(token), secret };
  }

  @Delete(':token')
  @Describe({ summary: 'Revokes a SCIM token at once.', description: WHO, answer: doneSchema, errors: [404] })
  async revokeScimToken(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('token', { schema: idSchema }) id: string,
  ) {
    await this.scim.revokeScimToken(caller, { accountId, id });
    return done('SCIM token successfully revoked');
  }
}
