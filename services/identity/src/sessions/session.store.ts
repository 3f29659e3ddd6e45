import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
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

/** A session that has not ended. Times in milliseconds. */
export interface LiveSession {
  hash: string;
  session: StoredSession;
  created: number;
  /** Until it ends if nobody uses it. */
  left: number;
}

/** The event is stored only if there was a session. */
const END = `
  local ended = redis.call('DEL', KEYS[1])
  redis.call('DEL', KEYS[2])
  if ended == 1 then redis.call('HSET', KEYS[3], ARGV[1], ARGV[2]) end
  return ended`;

const usedKey = (hash: string) => `identity:session-used:${hash}`;

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
    const left = timeLeft(this.options, createdMs(session), Date.now());
    const key = sessionKey(hash);
    const text = this.seal.close(key, toJsonString(StoredSessionSchema, session));
    await this.outbox.record([event], this.redis.client.multi().set(key, text, 'PX', left));
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

  /** Ends a session, and records the event with it. @returns false, without an event, if it had ended before */
  async end(hash: string, event: Event): Promise<boolean> {
    const keys = [sessionKey(hash), usedKey(hash), waitingKey('identity')];
    const ended = await reach(this.redis.client.eval(END, keys.length, ...keys, event.id, encoded(event)));
    if (ended === 1) this.outbox.stored(event);
    return ended === 1;
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
}

function parse(text: string): StoredSession {
  return fromJsonString(StoredSessionSchema, text, { ignoreUnknownFields: true });
}

function createdMs({ created }: StoredSession): number {
  return created ? timestampMs(created) : 0;
}
