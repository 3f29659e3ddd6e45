import { create, fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { SIGNALS } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import {
  GetSessionResponseSchema,
  type GetSessionResponse,
  type SamlIdentity,
} from '@warren/proto/identity/v1/identity';
import { reach } from '../redis/reach.ts';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { isTouchDue, SESSION_OPTIONS, timeLeft, type SessionOptions } from './session.options.ts';
import { SessionIndex } from './session.index.ts';

const ENDED = 'session: not there or ended; sign in again.';

/** What a session key holds in Redis. */
function parse(text: string): GetSessionResponse {
  return fromJsonString(GetSessionResponseSchema, text, { ignoreUnknownFields: true });
}

function keyOf(hash: string): string {
  return `identity:session:${hash}`;
}

/**
 * Browser sessions in Redis, under the hash of their secret. Redis itself lets them expire: the time to live is the idle
 * time, cut at the absolute end.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly redis: RedisLink,
    private readonly index: SessionIndex,
    @Inject(SESSION_OPTIONS) private readonly options: SessionOptions,
  ) {}

  /** Opens a session; an e-mail's oldest ones beyond a bound end for it. */
  async open(identityId: string, saml: SamlIdentity): Promise<{ secret: string; expires: Date }> {
    const now = Date.now();
    const secret = newSecret();
    const hash = hashOf(secret);
    const session = create(GetSessionResponseSchema, { identityId, saml, created: timestampFromMs(now) });
    const end = now + this.options.absoluteMs;
    // The index first: a session that is not indexed could not be ended for its person.
    const surplus = await this.index.add(saml, hash, end, now);
    const left = timeLeft(this.options, now, now);
    await reach(this.redis.client.set(keyOf(hash), toJsonString(GetSessionResponseSchema, session), 'PX', left));
    await this.drop(surplus);
    return { secret, expires: new Date(end) };
  }

  /**
   * The session of a secret; with `touch` its idle time starts anew.
   * @throws Fault `unauthenticated`
   */
  async get(secret: string, { touch }: { touch: boolean }): Promise<GetSessionResponse> {
    const key = keyOf(hashOf(secret));
    const [text, ttl] = await reach(Promise.all([this.redis.client.get(key), this.redis.client.pttl(key)]));
    if (text === null || ttl <= 0) throw new Fault('unauthenticated', ENDED);
    const session = parse(text);
    const left = timeLeft(this.options, createdMs(session), Date.now());
    if (left <= 0) throw new Fault('unauthenticated', ENDED);
    // Moving the expiry alone can't bring back a session that was ended a moment ago.
    if (touch && isTouchDue(this.options, ttl, left)) await reach(this.redis.client.pexpire(key, left));
    return session;
  }

  /** Ends a session. @returns what it was; nothing if there was none */
  async end(secret: string): Promise<GetSessionResponse | undefined> {
    const hash = hashOf(secret);
    const text = await reach(this.redis.client.getdel(keyOf(hash)));
    if (text === null) return undefined;
    const session = parse(text);
    await this.tell([hash]);
    if (session.saml) await this.index.remove(session.saml, hash);
    return session;
  }

  /** Whether the session of a hash still holds. */
  async isAlive(hash: string): Promise<boolean> {
    return (await reach(this.redis.client.exists(keyOf(hash)))) === 1;
  }

  /** Ends every session of an e-mail. @returns how many there were */
  async endByEmail(email: string): Promise<number> {
    return this.endAll(await this.index.byEmail(email));
  }

  /** Ends the sessions of a SAML subject: one when `sessionIndex` names it, all of them when it is empty. */
  async endBySubject(provider: string, nameId: string, sessionIndex: string): Promise<number> {
    const hashes = await this.index.bySubject(provider, nameId);
    if (!sessionIndex || hashes.length === 0) return this.endAll(hashes);
    const texts = await reach(this.redis.client.mget(hashes.map(keyOf)));
    return this.endAll(hashes.filter((_, at) => texts[at] && parse(texts[at]).saml?.sessionIndex === sessionIndex));
  }

  private async endAll(hashes: string[]): Promise<number> {
    const texts = hashes.length === 0 ? [] : await reach(this.redis.client.mget(hashes.map(keyOf)));
    const ended = await this.drop(hashes);
    for (const [at, hash] of hashes.entries()) {
      const saml = texts[at] ? parse(texts[at]).saml : undefined;
      if (saml) await this.index.remove(saml, hash);
    }
    return ended;
  }

  private async drop(hashes: string[]): Promise<number> {
    if (hashes.length === 0) return 0;
    const ended = await reach(this.redis.client.del(hashes.map(keyOf)));
    await this.tell(hashes);
    return ended;
  }

  /** What a session has opened elsewhere ends with it. Whoever misses the signal finds out by `isAlive`. */
  private async tell(hashes: string[]): Promise<void> {
    await reach(this.redis.client.publish(SIGNALS.sessionsEnded, hashes.join(' ')));
  }
}

function createdMs(session: GetSessionResponse): number {
  return session.created ? timestampMs(session.created) : 0;
}
