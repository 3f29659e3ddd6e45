import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { isApiToken } from '@warren/platform/secrets/api.token';
import { ScimService } from '@warren/proto/tenancy/v1/scim';
import type { Response } from 'express';
import { HubCookies } from '../auth/session.cookie.ts';
import { bearerOf } from '../auth/tokens/bearer.ts';
import { TokenLimit } from '../auth/tokens/token.limit.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { TokenRefused } from '../http/challenge.ts';
import { clientNetwork } from '../http/client.address.ts';
import { RateCounter } from '../http/rate.counter.ts';
import { gatewayCaller, type ScimToken, type SignedInRequest } from '../http/signed-in.request.ts';

const WINDOW_S = 60;
const SUBJECT = 'SCIM token';

/** A request with a verified SCIM token. */
export type ScimRequest = SignedInRequest;

/** Lets requests with a SCIM token in, and no others: neither cookies nor API tokens open SCIM. Limits them as those of API tokens. */
@Injectable()
export class ScimGuard implements CanActivate {
  private readonly limit: TokenLimit | undefined;
  private readonly failures: RateCounter | undefined;

  constructor(
    @InjectRpc(ScimService) private readonly scim: RpcClient<typeof ScimService>,
    private readonly cookies: HubCookies,
    redis: RedisLink,
    @Inject(GATEWAY_CONFIG) { RATE_LIMITS: rates }: Pick<GatewayConfig, 'RATE_LIMITS'>,
  ) {
    const name = 'token-refused';
    this.limit = rates ? new TokenLimit(redis, rates.token) : undefined;
    this.failures = rates ? new RateCounter(redis, { name, most: rates[name], seconds: WINDOW_S }) : undefined;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ScimRequest>();
    const secret = bearerOf(request.headers);
    if (secret === undefined) throw new Fault('unauthenticated', 'SCIM needs a token of the account.');
    if (this.cookies.readSession(request) !== undefined)
      throw new TokenRefused('invalid_request', 'expected no session cookie beside it.', { subject: SUBJECT });
    const token = await this.verify(request, secret);
    await this.limit?.count(token.id, http.getResponse<Response>());
    request.operation = context.getHandler().name;
    request.scimToken = token;
    return true;
  }

  private async verify(request: ScimRequest, secret: string): Promise<ScimToken> {
    const client = clientNetwork(request);
    await this.failures?.count(client, `refused tokens from ${client}`);
    try {
      if (!isApiToken(secret)) throw new Fault('unauthenticated', 'the SCIM token is malformed.');
      const { tokenId: id, accountId, name } = await this.scim.verifyScimToken(gatewayCaller(request), { secret });
      await this.failures?.takeBack(client);
      return { id, accountId, name };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unauthenticated') throw error;
      throw new TokenRefused('invalid_token', 'it is unknown, expired or revoked.', { subject: SUBJECT, cause: error });
    }
  }
}

/** The verified token of a request, and the gateway as its caller. */
export function scimCall(request: ScimRequest) {
  return { caller: gatewayCaller(request), tokenId: request.scimToken?.id ?? '' };
}
