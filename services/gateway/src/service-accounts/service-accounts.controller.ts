import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TokensService } from '@warren/proto/identity/v1/tokens';
import { ServiceAccountsService, type ServiceAccount } from '@warren/proto/tenancy/v1/service_accounts';
import { SERVICE_ACCOUNT_LIMITS } from '@warren/rules/service-accounts';
import { TOKEN_LIMITS } from '@warren/rules/tokens';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import { createTokenBody, tokenCreatedSchema, tokenJson, type CreateTokenBody } from '../tokens/token.schemas.ts';
import {
  createServiceAccountBody,
  roleNumber,
  serviceAccountAnswer,
  serviceAccountAnswerSchema,
  serviceAccountJson,
  serviceAccountListSchema,
  statusNumber,
  updateServiceAccountBody,
  type CreateServiceAccountBody,
  type UpdateServiceAccountBody,
} from './service-account.schemas.ts';

const READERS = 'Any account for operators but Members; their own for owners and admins.';
const MANAGERS = 'SuperAdmins, and Owners and Admins for their account.';

/** Service accounts, which programs act as. */
@ApiTags('service accounts')
@Controller('api/accounts/:id/service_accounts')
export class ServiceAccountsController {
  constructor(
    @InjectRpc(ServiceAccountsService) private readonly accounts: RpcClient<typeof ServiceAccountsService>,
    @InjectRpc(TokensService) private readonly tokens: RpcClient<typeof TokensService>,
  ) {}

  @Get()
  @Describe({
    summary: 'Lists the service accounts of an account.',
    description: READERS,
    answer: serviceAccountListSchema,
    errors: [404],
  })
  async listServiceAccounts(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    const { serviceAccounts } = await this.accounts.listServiceAccounts(caller, { accountId });
    return { service_accounts: serviceAccounts.map(serviceAccountJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Creates a service account.',
    description: `${MANAGERS} An account has at most ${SERVICE_ACCOUNT_LIMITS.perAccount}.`,
    answer: serviceAccountAnswerSchema,
    status: 201,
    errors: [404, 409],
  })
  async createServiceAccount(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: createServiceAccountBody }) { role, ...body }: CreateServiceAccountBody,
  ) {
    const request = { accountId, ...body, role: roleNumber(role) };
    const answer = await this.accounts.createServiceAccount(caller, request);
    return serviceAccountAnswer('service account successfully created', held(answer));
  }

  @Put(':service_account')
  @Describe({
    summary: 'Changes all but the name of a service account.',
    description: `${MANAGERS} Disabling revokes its tokens for good, and ends what they have opened within two seconds.`,
    answer: serviceAccountAnswerSchema,
    errors: [404],
  })
  async updateServiceAccount(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('service_account', { schema: idSchema }) id: string,
    @Body({ schema: updateServiceAccountBody }) { role, status, description }: UpdateServiceAccountBody,
  ) {
    const content = { description, role: roleNumber(role), status: statusNumber(status) };
    const answer = await this.accounts.updateServiceAccount(caller, { accountId, id, ...content });
    return serviceAccountAnswer('service account successfully changed', held(answer));
  }

  @Delete(':service_account')
  @Describe({
    summary: 'Deletes a service account with its tokens and grants.',
    description: `${MANAGERS} What its tokens have opened ends within two seconds.`,
    answer: doneSchema,
    errors: [404],
  })
  async deleteServiceAccount(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('service_account', { schema: idSchema }) id: string,
  ) {
    await this.accounts.deleteServiceAccount(caller, { accountId, id });
    return done('service account successfully deleted');
  }

  @Post(':service_account/tokens')
  @HttpCode(201)
  @Describe({
    summary: 'Creates an API token of a service account.',
    description: `${MANAGERS} It has permissions that both the service account and its creator have. At most ${TOKEN_LIMITS.perServiceAccount} are in force for a service account. List and revoke them among the API tokens of the account.`,
    answer: tokenCreatedSchema,
    status: 201,
    errors: [404, 409],
  })
  async createServiceAccountToken(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Param('service_account', { schema: idSchema }) id: string,
    @Body({ schema: createTokenBody }) body: CreateTokenBody,
  ) {
    const { subject } = held(await this.accounts.getServiceAccount(caller, { accountId, id }));
    const request = { ...(subject && { serviceAccount: subject }), token: body };
    const { secret, token } = await this.tokens.createServiceAccountToken(caller, request);
    if (!token) throw new Fault('internal', 'The identity service answered without a token.');
    return { ...done('token successfully created'), result: tokenJson(token), secret };
  }
}

function held({ serviceAccount }: { serviceAccount?: ServiceAccount }): ServiceAccount {
  if (!serviceAccount) throw new Fault('internal', 'The tenancy service answered without a service account.');
  return serviceAccount;
}
