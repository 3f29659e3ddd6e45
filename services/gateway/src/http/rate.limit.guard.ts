import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { Request } from 'express';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { clientNetwork } from './client.address.ts';
import { RateCounter } from './rate.counter.ts';
import { limitOf, RATE_LIMITS, RATES } from './rate.limits.ts';

const WINDOW_S = 60;

/** Limits calls of public routes by client address. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly counters: ReadonlyMap<string, RateCounter>;

  constructor(redis: RedisLink, @Inject(GATEWAY_CONFIG) { RATE_LIMITS: rates }: Pick<GatewayConfig, 'RATE_LIMITS'>) {
    const names = rates ? [...new Set(RATE_LIMITS.map(({ name }) => name))] : [];
    this.counters = new Map(
      names.map((name) => [name, new RateCounter(redis, { name, most: (rates || RATES)[name], seconds: WINDOW_S })]),
    );
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const limit = limitOf(request.method, (request.route as { path: string }).path);
    if (!limit) return true;
    const client = clientNetwork(request);
    await this.counters.get(limit.name)?.count(client, `calls from ${client}`);
    return true;
  }
}
