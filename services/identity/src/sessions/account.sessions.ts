import { Injectable } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { commit, reach } from '@warren/platform/redis/commit';
import { SessionStore } from './session.store.ts';

/** The account against whose quota a session counts. */
export interface CountedFor {
  /** Empty: none, such as the operator account. */
  accountId: string;
  /** Its quota of sessions; unlimited if absent. */
  most?: number | undefined;
}

const keyOf = (accountId: string) => `identity:sessions:account:${accountId}`;

/** Indexes sessions by account: sorted sets of session hashes, scored by their absolute end. */
@Injectable()
export class AccountSessions {
  constructor(
    private readonly redis: RedisLink,
    private readonly store: SessionStore,
  ) {}

  /** @param end absolute end of the session, milliseconds since 1970 */
  async add(accountId: string, hash: string, end: number): Promise<void> {
    const key = keyOf(accountId);
    const adding = this.redis.client.multi().zremrangebyscore(key, '-inf', Date.now()).zadd(key, end, hash);
    await commit(adding.pexpireat(key, end, 'NX').pexpireat(key, end, 'GT'));
  }

  async remove(accountId: string, hashes: readonly string[]): Promise<void> {
    if (accountId !== '' && hashes.length > 0) await reach(this.redis.client.zrem(keyOf(accountId), ...hashes));
  }

  /** The number of live sessions of the account. */
  async count(accountId: string): Promise<number> {
    return this.store.count(await this.all(accountId));
  }

  /**
   * Returns the sessions beyond the account's quota: those unused for the longest.
   * @param kept the session that has just started
   */
  async surplus({ accountId, most }: CountedFor, kept: string): Promise<string[]> {
    if (most === undefined) return [];
    const hashes = await this.all(accountId);
    if (hashes.length <= most) return [];
    const found = await this.store.load(hashes);
    const live = found.filter((one) => one !== undefined);
    const alive = new Set(live.map(({ hash }) => hash));
    const ended = hashes.filter((hash) => !alive.has(hash));
    await this.remove(accountId, ended);
    const uses = await this.store.lastUses(live.map(({ hash }) => hash));
    const byUse = live
      .map(({ hash, created }, at) => ({ hash, used: Math.max(uses[at] ?? 0, created) }))
      .filter(({ hash }) => hash !== kept)
      .toSorted((one, other) => one.used - other.used);
    return byUse.slice(0, Math.max(0, live.length - most)).map(({ hash }) => hash);
  }

  private all(accountId: string): Promise<string[]> {
    return reach(this.redis.client.zrange(keyOf(accountId), 0, -1));
  }
}
