import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { Request } from 'express';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { clientNetwork } from './client.address.ts';
import { RateCounter } from './rate.counter.ts';
import { limitOf, RATE_LIMITS } from './rate.limits.ts';

const WINDOW_S = 60;

/** Counts calls of public routes by address. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly counters: ReadonlyMap<string, RateCounter>;

  constructor(
    redis: RedisLink,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'RATE_LIMITS'>,
  ) {
    this.counters = new Map(
      RATE_LIMITS.map(({ name, calls }) => [name, new RateCounter(redis, { name, most: calls, seconds: WINDOW_S })]),
    );
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const limit = limitOf(request.method, (request.route as { path: string }).path);
    if (!limit || !this.config.RATE_LIMITS) return true;
    const client = clientNetwork(request);
    await this.counters.get(limit.name)?.count(client, `calls from ${client}`);
    return true;
  }
}
