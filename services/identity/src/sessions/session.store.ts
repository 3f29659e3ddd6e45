import { create, fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { sessionKey, SIGNALS } from '@warren/platform/broker/keys';
import type { Event } from '@warren/platform/events/event';
import { encoded, RedisOutbox, waitingKey } from '@warren/platform/events/redis.outbox';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { StoredSessionSchema, type StoredSession } from '@warren/proto/identity/v1/identity';
import { commit, reach } from '@warren/platform/redis/commit';
import { Seal } from '../secrets/seal.ts';
import { SESSION_OPTIONS, timeLeft, type SessionOptions } from './session.options.ts';
import { END, EXPIRE, EXPIRY, EXTEND, RECORDABLE_MS, usedKey } from './session.scripts.ts';

/** A session that has not ended. Times in milliseconds. */
export interface LiveSession {
  hash: string;
  session: StoredSession;
  created: number;
  /** Until it ends if nobody uses it. */
  left: number;
}

/** A session due to expire. */
export interface DueSession {
  hash: string;
  /** When it expired unless it was used meanwhile, milliseconds since 1970. */
  expired: number;
  /** The user whom the event names; undefined: no event. */
  person: StoredSession | undefined;
}

/** Browser sessions in Redis, by the hash of their secret. Every read and write of them goes through here. */
@Injectable()
export class SessionStore {
  constructor(
    private readonly redis: RedisLink,
    private readonly seal: Seal,
    private readonly outbox: RedisOutbox,
    @Inject(SESSION_OPTIONS) private readonly options: SessionOptions,
  ) {}

  /** Stores a session together with the event of its sign-in. */
  async save(hash: string, session: StoredSession, event: Event): Promise<void> {
    const left = this.leftOf(session);
    const key = sessionKey(hash);
    const text = this.seal.close(key, toJsonString(StoredSessionSchema, session));
    const now = Date.now();
    const transaction = this.redis.client
      .multi()
      .set(key, text, 'PX', left)
      .set(usedKey(hash), now, 'PX', left + RECORDABLE_MS)
      .zadd(EXPIRY.times, now + left, hash)
      .hset(EXPIRY.persons, hash, personOf(session));
    await this.outbox.record([event], transaction);
  }

  /** Stores the entry of an API token. @param mostMs how long it lasts at most, until it is extended */
  async saveToken(hash: string, session: StoredSession, mostMs: number): Promise<void> {
    const left = Math.min(mostMs, this.leftOf(session));
    if (left <= 0) return;
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
      const left = Math.min(ttl, this.leftOf(session));
      return left > 0 ? { hash, session, created, left } : undefined;
    });
  }

  /** Milliseconds until a session that is used now ends; none are left after its absolute end. */
  leftOf(session: StoredSession): number {
    const now = Date.now();
    const left = timeLeft(this.options, createdMs(session), now);
    return session.expires ? Math.min(left, timestampMs(session.expires) - now) : left;
  }

  /** How many of these sessions have not ended. */
  async count(hashes: readonly string[]): Promise<number> {
    return hashes.length === 0 ? 0 : reach(this.redis.client.exists(hashes.map(sessionKey)));
  }

  /** Ends a session, and records the event with it. @returns false, without an event, if it had ended before */
  async end(hash: string, event: Event): Promise<boolean> {
    const keys = [sessionKey(hash), usedKey(hash), waitingKey('identity'), EXPIRY.times, EXPIRY.persons];
    const ended = await reach(this.redis.client.eval(END, keys.length, ...keys, event.id, encoded(event), hash));
    if (ended === 1) this.outbox.stored(event);
    return ended === 1;
  }

  /** Ends the entries of API tokens. Their service records the events, in the transaction of its rows. */
  async endTokens(hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return;
    await reach(this.redis.client.del([...hashes.map(sessionKey), ...hashes.map(usedKey)]));
    await this.announceEnd(hashes);
  }

  /** Moves the expiry. That alone cannot bring back a session that was ended a moment ago. */
  async extend({ hash, session }: Pick<LiveSession, 'hash' | 'session'>, left: number): Promise<void> {
    const now = Date.now();
    if (session.token) {
      const transaction = this.redis.client.multi().pexpire(sessionKey(hash), left);
      await commit(transaction.set(usedKey(hash), now, 'PX', left));
      return;
    }
    const keys = [sessionKey(hash), usedKey(hash), EXPIRY.times, EXPIRY.persons];
    const values = [left, now, left + RECORDABLE_MS, now + left, hash, personOf(session)];
    await reach(this.redis.client.eval(EXTEND, keys.length, ...keys, ...values));
  }

  /** Reads browser sessions that have expired if nobody used them meanwhile, the earliest first. */
  async due(most: number): Promise<DueSession[]> {
    const { client } = this.redis;
    const range = client.zrangebyscore(EXPIRY.times, 0, Date.now(), 'WITHSCORES', 'LIMIT', 0, most);
    const found = await reach(range);
    const hashes = found.filter((_, at) => at % 2 === 0);
    if (hashes.length === 0) return [];
    const persons = await reach(client.hmget(EXPIRY.persons, ...hashes));
    return hashes.map((hash, at) => {
      const text = persons[at] ?? null;
      return { hash, expired: Number(found[2 * at + 1]), person: text === null ? undefined : parse(text) };
    });
  }

  /**
   * Stores the events of sessions that have expired, and removes them from the set in the same step, so each is recorded once by any
   * process. Sessions used meanwhile stay.
   * @returns how many had expired
   */
  async expire(sessions: readonly (DueSession & { event: Event | undefined })[]): Promise<number> {
    const now = Date.now();
    const pipeline = this.redis.client.pipeline();
    for (const { hash, expired, event } of sessions) {
      const keys = [sessionKey(hash), usedKey(hash), EXPIRY.times, EXPIRY.persons, waitingKey('identity')];
      const values = [hash, expired, now, RECORDABLE_MS, event?.id ?? '', event ? encoded(event) : ''];
      pipeline.eval(EXPIRE, keys.length, ...keys, ...values);
    }
    const answers = (await reach(pipeline.exec())) ?? [];
    const recorded = sessions.flatMap(({ event }, at) => (event && answers[at]?.[1] === 1 ? [event] : []));
    for (const event of recorded) this.outbox.stored(event);
    const failed = answers.find(([error]) => error)?.[0];
    if (failed) return reach(Promise.reject(failed));
    return recorded.length;
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
}

/** The part of a session that the event of its end repeats. */
function personOf({ userId, userAccountId, saml, created }: StoredSession): string {
  const { email = '', name = '' } = saml ?? {};
  const person = create(StoredSessionSchema, {
    userId,
    userAccountId,
    saml: { email, name },
    ...(created && { created }),
  });
  return toJsonString(StoredSessionSchema, person);
}

function parse(text: string): StoredSession {
  return fromJsonString(StoredSessionSchema, text, { ignoreUnknownFields: true });
}

/** When a session began, milliseconds since 1970. */
export function createdMs({ created }: StoredSession): number {
  return created ? timestampMs(created) : 0;
}
