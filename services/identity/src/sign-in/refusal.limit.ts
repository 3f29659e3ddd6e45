import { Injectable } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { reach } from '@warren/platform/redis/commit';

/** Maximum audit events of one kind of refusal per minute, over all replicas. */
const REFUSALS_A_MINUTE = 120;
const MINUTE_MS = 60_000;

/**
 * Kinds of refusals with limits apart, so that a flood of one, which anybody can send, hides no other: of guest links; of API tokens; of sign-ins that
 * nobody vouches for; and of sign-ins with an address that a provider vouches for.
 */
export type Refused = 'guest' | 'token' | 'sign-in' | 'verified-sign-in';

/** Keeps refusals from flooding the audit trail. */
@Injectable()
export class RefusalLimit {
  constructor(private readonly redis: RedisLink) {}

  async admits(refused: Refused): Promise<boolean> {
    const key = `identity:refusals:${refused}:${Math.floor(Date.now() / MINUTE_MS)}`;
    const count = await reach(this.redis.client.incr(key));
    if (count === 1) await reach(this.redis.client.pexpire(key, 2 * MINUTE_MS));
    return count <= REFUSALS_A_MINUTE;
  }
}
