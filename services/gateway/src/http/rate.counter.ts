import { Fault } from '@warren/platform/errors/fault';
import type { RedisLink } from '@warren/platform/redis/redis.module';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

interface Rate {
  /** Name of the counter; part of its keys in Redis. */
  name: string;
  /** Maximum per key and period. */
  most: number;
  seconds: number;
}

/** Counts events across all gateways; without Redis, each gateway counts its own. */
export class RateCounter {
  private readonly limiter: RateLimiterAbstract;

  constructor(redis: RedisLink, { name, most, seconds }: Rate) {
    const options = { keyPrefix: `gateway:calls:${name}`, points: most, duration: seconds };
    this.limiter = new RateLimiterRedis({
      ...options,
      storeClient: redis.client,
      rejectIfRedisNotReady: true,
      // Refuses clients over the limit from memory, without a call to Redis.
      inMemoryBlockOnConsumed: most + 1,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  }

  /** Uncounts what turned out not to count. */
  async takeBack(key: string): Promise<void> {
    await this.limiter.reward(key, 1);
  }

  /**
   * @param what the counted events, for the error text: `calls from 192.0.2.7`
   * @throws Fault `resource_exhausted`, with the seconds to wait
   */
  async count(key: string, what: string, amount = 1): Promise<void> {
    try {
      await this.limiter.consume(key, amount);
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      const retryAfter = Math.ceil(reason.msBeforeNext / 1000);
      throw new Fault('resource_exhausted', `${what}; try again in ${retryAfter} s.`, { retryAfter });
    }
  }
}
