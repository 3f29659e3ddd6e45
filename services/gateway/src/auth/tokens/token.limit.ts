import { Fault } from '@warren/platform/errors/fault';
import type { RedisLink } from '@warren/platform/redis/redis.module';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract } from 'rate-limiter-flexible';

const WINDOW_S = 60;
const POLICY = 'token';

/**
 * Counts the requests of each token across all gateways; without Redis, each gateway counts its own. Responses tell what is left
 * (draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4).
 */
export class TokenLimit {
  private readonly limiter: RateLimiterAbstract;

  /** @param most requests of a token in a minute */
  constructor(
    redis: RedisLink,
    private readonly most: number,
  ) {
    const options = { keyPrefix: 'gateway:calls:token', points: Number.MAX_SAFE_INTEGER, duration: WINDOW_S };
    this.limiter = new RateLimiterRedis({
      ...options,
      storeClient: redis.client,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  }

  /** @throws Fault `resource_exhausted` beyond the limit, with the seconds to wait */
  async count(tokenId: string, response: Pick<Response, 'setHeader'>): Promise<void> {
    const { consumedPoints, msBeforeNext } = await this.limiter.consume(tokenId);
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    const left = Math.max(0, this.most - consumedPoints);
    response.setHeader('RateLimit-Policy', `"${POLICY}";q=${this.most};w=${WINDOW_S}`);
    response.setHeader('RateLimit', `"${POLICY}";r=${left};t=${seconds}`);
    if (consumedPoints <= this.most) return;
    const message = `${this.most} requests of this token in a minute; try again in ${seconds} s.`;
    throw new Fault('resource_exhausted', message, { retryAfter: seconds });
  }
}
