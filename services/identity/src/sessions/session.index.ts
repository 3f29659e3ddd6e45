import { Injectable } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { SamlIdentity } from '@warren/proto/identity/v1/identity';
import { commit, reach } from '@warren/platform/redis/commit';
import { hashOf } from '../secrets/secret.ts';

/** Maximum sessions per e-mail; a new one ends the oldest. */
export const MAX_SESSIONS = 100;

function emailKey(email: string): string {
  return `identity:sessions:email:${hashOf(email.toLowerCase())}`;
}

function subjectKey(provider: string, nameId: string): string {
  return `identity:sessions:subject:${hashOf(provider, nameId)}`;
}

/**
 * Indexes sessions by e-mail and by SAML subject: sorted sets of session hashes, scored by their absolute end, so that each
 * addition removes expired ones.
 */
@Injectable()
export class SessionIndex {
  constructor(private readonly redis: RedisLink) {}

  /**
   * @param end absolute end of the session, milliseconds since 1970
   * @returns hashes of the oldest sessions beyond the maximum, removed from the e-mail's index
   */
  async add(saml: SamlIdentity, hash: string, end: number, now: number): Promise<string[]> {
    const email = emailKey(saml.email);
    const transaction = this.redis.client.multi();
    for (const key of [email, subjectKey(saml.provider, saml.nameId)]) {
      transaction
        .zremrangebyscore(key, '-inf', now)
        .zadd(key, end, hash)
        .pexpireat(key, end, 'NX')
        .pexpireat(key, end, 'GT');
    }
    const surplus = Number((await commit(transaction.zcard(email))).at(-1)) - MAX_SESSIONS;
    if (surplus <= 0) return [];
    const popped = await reach(this.redis.client.zpopmin(email, surplus));
    return popped.filter((_, at) => at % 2 === 0);
  }

  async remove(saml: SamlIdentity, hash: string): Promise<void> {
    const { client } = this.redis;
    const keys = [emailKey(saml.email), subjectKey(saml.provider, saml.nameId)];
    await reach(Promise.all(keys.map((key) => client.zrem(key, hash))));
  }

  byEmail(email: string): Promise<string[]> {
    return reach(this.redis.client.zrange(emailKey(email), 0, -1));
  }

  bySubject(provider: string, nameId: string): Promise<string[]> {
    return reach(this.redis.client.zrange(subjectKey(provider, nameId), 0, -1));
  }
}
