import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  TokenSchema,
  TokensService as Contract,
  type CreateServiceAccountTokenRequest,
  type CreateTokenRequest,
  type ListTokensRequest,
  type RevokeTokenRequest,
  type VerifyTokenRequest,
} from '@warren/proto/identity/v1/tokens';
import { sessionAnswer } from '../sessions/session.answer.ts';
import type { TokenEntity } from './token.entity.ts';
import { TokenVerifier } from './token.verifier.ts';
import { TokensService } from './tokens.service.ts';

/** Serves TokensService. */
@Injectable()
export class TokensRpc implements RpcHandlers<typeof Contract>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly tokens: TokensService,
    private readonly verifier: TokenVerifier,
  ) {}

  onModuleInit(): void {
    this.server.serve(Contract, this);
  }

  async verifyToken(caller: Caller, request: VerifyTokenRequest) {
    requireService(caller, 'gateway');
    const { secret, background } = request;
    return { session: sessionAnswer(await this.verifier.verify({ secret, background, caller })) };
  }

  async createToken(caller: Caller, request: CreateTokenRequest) {
    const { secret, token } = await this.tokens.create(caller, request);
    return { secret, token: message(token) };
  }

  async createServiceAccountToken(caller: Caller, request: CreateServiceAccountTokenRequest) {
    const { secret, token } = await this.tokens.createFor(caller, request);
    return { secret, token: message(token) };
  }

  async listOwnTokens(caller: Caller) {
    const tokens = await this.tokens.listOwn(caller);
    return { tokens: tokens.map(message), total: tokens.length };
  }

  async listTokens(caller: Caller, request: ListTokensRequest) {
    const { tokens, total } = await this.tokens.list(caller, request);
    return { tokens: tokens.map(message), total };
  }

  async revokeToken(caller: Caller, request: RevokeTokenRequest) {
    await this.tokens.revoke(caller, request);
    return {};
  }
}

function message(token: TokenEntity): MessageInitShape<typeof TokenSchema> {
  const { id, name, email, permissions, filter, hint, userId, accountId, usedFrom, serviceAccount, usedAt } = token;
  return create(TokenSchema, {
    id,
    name,
    email,
    permissions,
    filter,
    hint,
    userId,
    accountId,
    usedFrom,
    serviceAccount,
    created: timestampFromDate(token.createdAt),
    expires: timestampFromDate(token.expiresAt),
    ...(usedAt ? { used: timestampFromDate(usedAt) } : {}),
  });
}
