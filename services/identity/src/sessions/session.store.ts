import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { sessionKey, SIGNALS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { StoredSessionSchema, type StoredSession } from '@warren/proto/identity/v1/identity';
import { commit, reach } from '@warren/platform/redis/commit';
import { Seal } from '../secrets/seal.ts';
import { SESSION_OPTIONS, timeLeft, type SessionOptions } from './session.options.ts';

/** A session that has not ended. Times in milliseconds. */
export interface LiveSession {
  hash: string;
  session: StoredSession;
  created: number;
  /** Until it ends if nobody uses it. */
  left: number;
}

const usedKey = (hash: string) => `identity:session-used:${hash}`;

/** Browser sessions in Redis, by the hash of their secret. Every read and write of them goes through here. */
@Injectable()
export class SessionStore {
  constructor(
    private readonly redis: RedisLink,
    private readonly seal: Seal,
    @Inject(SESSION_OPTIONS) private readonly options: SessionOptions,
  ) {}

  async save(hash: string, session: StoredSession): Promise<void> {
    const left = timeLeft(this.options, createdMs(session), Date.now());
    const key = sessionKey(hash);
    const text = this.seal.close(key, toJsonString(StoredSessionSchema, session));
    await reach(this.redis.client.set(key, text, 'PX', left));
  }

  /** Loads sessions in the order of their hashes; undefined for those that have ended, or bear no seal of this service. */
  async load(hashes: readonly string[]): Promise<(LiveSession | undefined)[]> {
    if (hashes.length === 0) return [];
    const { client } = this.redis;
    const texts = reach(client.mget(hashes.map(sessionKey)));
    const [found, ...ttls] = await Promise.all([texts, ...hashes.map((hash) => reach(client.pttl(sessionKey(hash))))]);
    return hashes.map((hash, at) => {
      const text = this.seal.open(sessionKey(hash), found[at] ?? null);
      const ttl = ttls[at] ?? 0;
      if (text === null || ttl <= 0) return undefined;
      const session = parse(text);
      const created = createdMs(session);
      const left = Math.min(ttl, timeLeft(this.options, created, Date.now()));
      return left > 0 ? { hash, session, created, left } : undefined;
    });
  }

  /** How many of these sessions have not ended. */
  async count(hashes: readonly string[]): Promise<number> {
    return hashes.length === 0 ? 0 : reach(this.redis.client.exists(hashes.map(sessionKey)));
  }

  /** Takes a session out. @returns what it was; undefined if there was none */
  async take(hash: string): Promise<StoredSession | undefined> {
    const key = sessionKey(hash);
    const text = this.seal.open(key, await reach(this.redis.client.getdel(key)));
    if (text === null) return undefined;
    await this.forgetUse([hash]);
    return parse(text);
  }

  /** @returns how many there were */
  async remove(hashes: readonly string[]): Promise<number> {
    if (hashes.length === 0) return 0;
    const ended = await reach(this.redis.client.del(hashes.map(sessionKey)));
    await this.forgetUse(hashes);
    return ended;
  }

  /** Moves the expiry. That alone cannot bring back a session that was ended a moment ago. */
  async extend(hash: string, left: number): Promise<void> {
    const transaction = this.redis.client.multi().pexpire(sessionKey(hash), left);
    await commit(transaction.set(usedKey(hash), Date.now(), 'PX', left));
  }

  /** When each session was last extended, milliseconds since 1970; undefined for one that never was. */
  async lastUses(hashes: readonly string[]): Promise<(number | undefined)[]> {
    if (hashes.length === 0) return [];
    const texts = await reach(this.redis.client.mget(hashes.map(usedKey)));
    return texts.map((text) => (text === null ? undefined : Number(text)));
  }

  /** Ends what sessions have opened elsewhere. A process that misses the signal finds out by asking. */
  async announceEnd(hashes: readonly string[]): Promise<void> {
    if (hashes.length > 0) await reach(this.redis.client.publish(SIGNALS.sessionsEnded, hashes.join(' ')));
  }

  private async forgetUse(hashes: readonly string[]): Promise<void> {
    await reach(this.redis.client.del(hashes.map(usedKey)));
  }
}

function parse(text: string): StoredSession {
  return fromJsonString(StoredSessionSchema, text, { ignoreUnknownFields: true });
}

function createdMs({ created }: StoredSession): number {
  return created ? timestampMs(created) : 0;
}
