import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import { actorOf } from '@warren/platform/audit/audit.actor';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { RedisLink } from '@warren/platform/redis/redis.module';
import {
  CreateSocketTokenRequestSchema,
  SocketPurpose,
  type CreateSocketTokenRequest,
} from '@warren/proto/identity/v1/identity';
import { commit, reach } from '@warren/platform/redis/commit';
import { Seal } from '../secrets/seal.ts';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { socketTokens } from '../telemetry/metrics.ts';

/** Lifetime of a socket token (decisions, 'Realtime'). */
const LIFE_MS = 60_000;
/** Maximum unused tokens per user: enough for a wall of screens that reconnect at once. */
export const MAX_UNUSED = 32;
const RETRY_AFTER_S = 5;
const REFUSED = 'the socket token is unknown, used or expired; ask for a new one.';

const ENDED = "the socket token's session has ended; sign in again.";
const OTHERS = 'the socket token is for another user or purpose.';

/** The use of a token. */
interface Redemption {
  token: string;
  userId: string;
  purpose: SocketPurpose;
  /** Whether a guest's ticket for a web service is taken too: the caller holds the guest to it. */
  guests?: boolean;
}

/** The grant of a token. */
export type Grant = CreateSocketTokenRequest;

function keyOf(token: string): string {
  return `identity:socket-token:${hashOf(token)}`;
}

/** Sorted set of the keys of a user's or guest's unused tokens, by their expiry in milliseconds since 1970. */
function unusedKey(owner: string): string {
  return `identity:socket-tokens:unused:${hashOf(owner.toLowerCase())}`;
}

/** One-time tokens for sockets, bound to a session, a user, a device and a purpose. Only their hash is stored. */
@Injectable()
export class SocketTokensService {
  constructor(
    private readonly redis: RedisLink,
    private readonly seal: Seal,
    private readonly sessions: SessionsService,
    private readonly outbox: RedisOutbox,
  ) {}

  /**
   * @throws Fault `invalid_argument` for a request without a user, a device or a purpose; `resource_exhausted` if the user has too
   *   many unused tokens
   */
  async issue(caller: AuditCaller, request: CreateSocketTokenRequest): Promise<{ token: string; expires: Date }> {
    const { user, deviceId, purpose } = request;
    if (!user?.userId || !deviceId || purpose === SocketPurpose.UNSPECIFIED) {
      throw invalidInput({ field: 'socket_token', message: 'expected a user, a device and a purpose.' });
    }
    const token = newSecret();
    const key = keyOf(token);
    await this.reserve(ownerOf(user), key);
    const text = this.seal.close(key, toJsonString(CreateSocketTokenRequestSchema, bound(request)));
    const stored = this.redis.client.multi().set(key, text, 'PX', LIFE_MS);
    await this.outbox.record([eventOf(caller, request, { action: 'socket_token.issue' })], stored);
    socketTokens.inc({ result: 'issued' });
    return { token, expires: new Date(Date.now() + LIFE_MS) };
  }

  /**
   * Returns the device of a token, without consuming it.
   * @throws Fault `permission_denied`
   */
  async peek(token: string): Promise<string> {
    const text = this.seal.open(keyOf(token), await reach(this.redis.client.get(keyOf(token))));
    if (text === null) throw new Fault('permission_denied', REFUSED);
    return parse(text).deviceId;
  }

  /**
   * Consumes a token, also if its user or purpose does not match.
   * @throws Fault `permission_denied`
   */
  async redeem(caller: AuditCaller, { token, userId, purpose, guests }: Redemption): Promise<Grant> {
    const text = this.seal.open(keyOf(token), await reach(this.redis.client.getdel(keyOf(token))));
    if (text === null) {
      socketTokens.inc({ result: 'refused' });
      throw new Fault('permission_denied', REFUSED);
    }
    const grant = parse(text);
    const theirs = purpose === SocketPurpose.WEB || grant.user?.userId === userId;
    const signedIn = grant.session === '' || (await this.sessions.isAlive(grant.session));
    const fits = theirs && signedIn && opens(grant, { purpose, guests });
    const used = this.redis.client.multi().zrem(unusedKey(ownerOf(grant.user)), keyOf(token));
    const refused = fits ? {} : ({ outcome: 'refused', reason: signedIn ? OTHERS : ENDED } as const);
    await this.outbox.record([eventOf(caller, grant, { action: 'socket_token.redeem', ...refused })], used);
    socketTokens.inc({ result: fits ? 'redeemed' : 'refused' });
    if (!signedIn) throw new Fault('permission_denied', ENDED);
    if (!fits) throw new Fault('permission_denied', OTHERS);
    return grant;
  }

  /** Revokes the unused tokens of an e-mail. */
  async revokeByEmail(email: string): Promise<void> {
    const keys = await reach(this.redis.client.zrange(unusedKey(email), 0, -1));
    if (keys.length > 0) await reach(this.redis.client.del([...keys, unusedKey(email)]));
  }

  /** Counts a token before it is stored, so that concurrent calls cannot exceed the maximum. */
  private async reserve(owner: string, key: string): Promise<void> {
    const unused = unusedKey(owner);
    const now = Date.now();
    const counting = this.redis.client.multi().zremrangebyscore(unused, '-inf', now);
    counting
      .zadd(unused, now + LIFE_MS, key)
      .pexpire(unused, LIFE_MS)
      .zcard(unused);
    const count = Number((await commit(counting)).at(-1));
    if (count <= MAX_UNUSED) return;
    await reach(this.redis.client.zrem(unused, key));
    socketTokens.inc({ result: 'refused' });
    const message = `${MAX_UNUSED} socket tokens of yours are unused; try again in ${RETRY_AFTER_S} s.`;
    throw new Fault('resource_exhausted', message, { retryAfter: RETRY_AFTER_S });
  }
}

/** Whether a token is for a purpose. That of a guest for a web service is for those alone who hold guests to it. */
function opens(grant: Grant, { purpose, guests = false }: Pick<Redemption, 'purpose' | 'guests'>): boolean {
  if (grant.purpose !== SocketPurpose.GUEST_WEB) return grant.purpose === purpose;
  return guests && purpose === SocketPurpose.WEB;
}

/** Whose unused tokens are counted together: a guest must not use up those of the person who made the link. */
function ownerOf(user: CreateSocketTokenRequest['user']): string {
  return user?.guest?.id ?? user?.email ?? '';
}

/** A stored grant, with the hash of the session's secret under which the session is stored. */
function bound(request: CreateSocketTokenRequest): Grant {
  return { ...request, session: request.session && hashOf(request.session) };
}

function parse(text: string): Grant {
  return fromJsonString(CreateSocketTokenRequestSchema, text, { ignoreUnknownFields: true });
}

/** An event for the people of the device's account. */
function eventOf(
  caller: AuditCaller,
  { user, deviceId, deviceAccountId: accountId, purpose }: Grant,
  what: Pick<Audited, 'outcome' | 'reason'> & { action: 'socket_token.issue' | 'socket_token.redeem' },
): Event {
  const target = { kind: 'device', id: deviceId } as const;
  const details = { purpose: SocketPurpose[purpose]?.toLowerCase() ?? '' };
  return auditEvent(caller, {
    ...what,
    accountId,
    target,
    details,
    ...(user && { actor: actorOf({ kind: { case: 'user', value: user } }) }),
  });
}
