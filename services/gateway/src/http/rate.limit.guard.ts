import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { clientNetwork } from './client.address.ts';
import { limitOf, RATE_LIMITS, type RateLimit } from './rate.limits.ts';

const WINDOW_S = 60;

/** Counts calls of public routes by address, over all gateways; without Redis each gateway counts for itself. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limiters: ReadonlyMap<string, RateLimiterAbstract>;

  constructor(
    redis: RedisLink,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'RATE_LIMITS'>,
  ) {
    this.limiters = new Map(RATE_LIMITS.map((limit) => [limit.name, limiter(redis, limit)]));
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const limit = limitOf(request.method, (request.route as { path: string }).path);
    if (limit && this.config.RATE_LIMITS) await this.count(limit.name, clientNetwork(request));
    return true;
  }

  private async count(name: string, client: string): Promise<void> {
    try {
      await this.limiters.get(name)?.consume(client);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      const retryAfter = Math.ceil(reason.msBeforeNext / 1000);
      throw new Fault('resource_exhausted', `Too many: calls from ${client}; try again in ${retryAfter} s.`, {
        retryAfter,
      });
    }
  }
}

function limiter(redis: RedisLink, { name, calls }: RateLimit): RateLimiterAbstract {
  const options = { keyPrefix: `gateway:calls:${name}`, points: calls, duration: WINDOW_S };
  return new RateLimiterRedis({
    ...options,
    storeClient: redis.client,
    rejectIfRedisNotReady: true,
    // Whoever is over the limit is refused from memory and costs Redis nothing.
    inMemoryBlockOnConsumed: calls + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  });
}
