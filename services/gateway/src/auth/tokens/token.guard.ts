import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { ApiToken } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import type { Response } from 'express';
import { TokenRefused } from '../../http/challenge.ts';
import type { Rates } from '../../http/rate.limits.ts';
import type { SignedInRequest } from '../../http/signed-in.request.ts';
import { TOKEN_RATES } from './token.access.ts';
import { TokenLimit } from './token.limit.ts';
import { DESCRIPTION_HANDLERS, TOKEN_RULES, WITHOUT_TOKEN, type TokenRule } from './token.permissions.ts';

/**
 * Holds a request with an API token against the rate of the token and against what its operation needs. The services hold it against the
 * policy once more, as any caller. Runs after the session guard.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly limit: TokenLimit | undefined;

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    redis: RedisLink,
    @Inject(TOKEN_RATES) rates: Rates | false,
  ) {
    this.limit = rates ? new TokenLimit(redis, rates.token) : undefined;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<SignedInRequest>();
    const { caller } = request;
    const token = caller?.kind.case === 'user' ? caller.kind.value.token : undefined;
    if (!caller || !token) return true;
    await this.limit?.count(token.id, http.getResponse<Response>());
    const operation = context.getHandler().name;
    if (!DESCRIPTION_HANDLERS.includes(operation)) await this.require(ruleOf(operation), caller, request);
    return true;
  }

  private async require(rule: TokenRule, caller: Caller, { params }: SignedInRequest): Promise<void> {
    const { token } = requireUser(caller);
    requirePermissions(rule, token as ApiToken);
    if (!token?.filter || rule.devices === 'listed') return;
    if (rule.devices !== 'named')
      throw new TokenRefused('insufficient_scope', 'it is limited to some devices, and this operation is not.');
    // Not found for a device that the filter does not hold for.
    await this.devices.getDevice(caller, { id: String(params['id']) });
  }
}

function ruleOf(operation: string): TokenRule {
  const rule = TOKEN_RULES[operation];
  if (rule) return rule;
  const why = WITHOUT_TOKEN[operation] ?? 'it is not for tokens';
  throw new TokenRefused('insufficient_scope', `no token may do this: ${why}.`);
}

function requirePermissions({ permissions }: TokenRule, token: ApiToken): void {
  const missing = permissions.filter((permission) => !token.permissions.includes(permission));
  if (missing.length === 0) return;
  const message = `it lacks ${missing.join(' and ')}.`;
  throw new TokenRefused('insufficient_scope', message, { scope: permissions });
}
