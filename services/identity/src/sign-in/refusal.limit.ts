import { Injectable } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { reach } from '@warren/platform/redis/commit';

/** Maximum audit events of refused sign-ins per minute, over all replicas. */
const REFUSALS_A_MINUTE = 120;
const MINUTE_MS = 60_000;

/** Keeps refused sign-ins from flooding the audit trail. */
@Injectable()
export class RefusalLimit {
  constructor(private readonly redis: RedisLink) {}

  async admits(): Promise<boolean> {
    const key = `identity:refusals:${Math.floor(Date.now() / MINUTE_MS)}`;
    const count = await reach(this.redis.client.incr(key));
    if (count === 1) await reach(this.redis.client.pexpire(key, 2 * MINUTE_MS));
    return count <= REFUSALS_A_MINUTE;
  }
}
