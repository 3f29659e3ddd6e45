import { Injectable } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { reach } from '../redis/reach.ts';

/** Refused sign-ins that the audit trail takes in a minute, over all replicas. */
const REFUSALS_A_MINUTE = 120;
const MINUTE_MS = 60_000;

/** Keeps the audit trail from being filled by people who can't sign in. */
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
