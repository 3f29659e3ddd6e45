import { Injectable } from '@nestjs/common';
import { quotaRefusals } from '@warren/platform/quotas/metrics';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { reachedText } from '@warren/rules/quotas';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible';

const WINDOW_S = 60;
/** Limits differ by account, so the limiters only count. */
const COUNTING = { keyPrefix: 'gateway:calls:account', points: Number.MAX_SAFE_INTEGER, duration: WINDOW_S };

/** Counts API calls of accounts across all gateways; without Redis, each gateway counts its own. */
@Injectable()
export class ApiCalls {
  private readonly limiter: RateLimiterAbstract;

  constructor(redis: RedisLink) {
    this.limiter = new RateLimiterRedis({
      ...COUNTING,
      storeClient: redis.client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(COUNTING),
    });
  }

  /** @throws Fault `resource_exhausted` beyond the limit, with the seconds to wait */
  async count(accountId: string, limit: number): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.limiter.consume(accountId);
    if (consumedPoints <= limit) return;
    quotaRefusals.inc({ quota: 'api_calls' });
    const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
    throw new Fault('resource_exhausted', reachedText('api_calls', limit), { subject: 'Quota reached', retryAfter });
  }

  /** Returns the number of calls in the current minute; 0 for an account without a limit, whose calls are not counted. */
  async used(accountId: string): Promise<number> {
    return (await this.limiter.get(accountId))?.consumedPoints ?? 0;
  }
}
