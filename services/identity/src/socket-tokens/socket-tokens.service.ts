import { fromJsonString, toJsonString } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import {
  CreateSocketTokenRequestSchema,
  SocketPurpose,
  type CreateSocketTokenRequest,
} from '@warren/proto/identity/v1/identity';
import { AuditOutbox } from '../audit/audit.outbox.ts';
import { reach } from '../redis/reach.ts';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { socketTokens } from '../telemetry/metrics.ts';

/** How long a socket token works (decisions, 'Realtime'). */
const LIFE_MS = 60_000;
const REFUSED = 'socket token: unknown, used or expired; ask for a new one.';

/** What a token opens. */
export type Grant = CreateSocketTokenRequest;

function keyOf(token: string): string {
  return `identity:socket-token:${hashOf(token)}`;
}

function emailKey(email: string): string {
  return `identity:socket-tokens:email:${hashOf(email.toLowerCase())}`;
}

/** One-time tokens for sockets, bound to a user, a device and a purpose. Only their hash is stored. */
@Injectable()
export class SocketTokensService {
  constructor(
    private readonly redis: RedisLink,
    private readonly audit: AuditOutbox,
  ) {}

  /** @throws Fault `invalid_argument` for a request without a user, a device or a purpose */
  async issue(request: CreateSocketTokenRequest): Promise<{ token: string; expires: Date }> {
    const { user, deviceId, purpose } = request;
    if (!user?.userId || !deviceId || purpose === SocketPurpose.UNSPECIFIED) {
      throw new Fault('invalid_argument', 'socket token: expected a user, a device and a purpose.');
    }
    const token = newSecret();
    const key = keyOf(token);
    const mine = emailKey(user.email);
    const text = toJsonString(CreateSocketTokenRequestSchema, bound(request));
    const stored = this.redis.client.multi().set(key, text, 'PX', LIFE_MS).sadd(mine, key).pexpire(mine, LIFE_MS);
    await this.audit.record({ action: 'socket_token_issued', actor: user.email, detail: detailOf(request) }, stored);
    socketTokens.inc({ result: 'issued' });
    return { token, expires: new Date(Date.now() + LIFE_MS) };
  }

  /**
   * The device of a token, which stays as good as it was.
   * @throws Fault `permission_denied`
   */
  async peek(token: string): Promise<string> {
    const text = await reach(this.redis.client.get(keyOf(token)));
    if (text === null) throw new Fault('permission_denied', REFUSED);
    return parse(text).deviceId;
  }

  /**
   * Uses a token up, also when it turns out to be for somebody or something else.
   * @throws Fault `permission_denied`
   */
  async redeem(token: string, userId: string, purpose: SocketPurpose): Promise<Grant> {
    const text = await reach(this.redis.client.getdel(keyOf(token)));
    if (text === null) {
      socketTokens.inc({ result: 'refused' });
      throw new Fault('permission_denied', REFUSED);
    }
    const grant = parse(text);
    const actor = grant.user?.email ?? '';
    const theirs = purpose === SocketPurpose.WEB || grant.user?.userId === userId;
    const fits = theirs && grant.purpose === purpose;
    const action = fits ? 'socket_token_redeemed' : 'socket_token_refused';
    const used = this.redis.client.multi().srem(emailKey(actor), keyOf(token));
    await this.audit.record({ action, actor, detail: detailOf(grant) }, used);
    socketTokens.inc({ result: fits ? 'redeemed' : 'refused' });
    if (!fits) throw new Fault('permission_denied', 'socket token: for another user or purpose.');
    return grant;
  }

  /** Takes back the tokens of an e-mail that nobody has used yet. */
  async revokeByEmail(email: string): Promise<void> {
    const keys = await reach(this.redis.client.smembers(emailKey(email)));
    if (keys.length > 0) await reach(this.redis.client.del([...keys, emailKey(email)]));
  }
}

/** A grant as it is stored: the session's secret only as the hash that the session itself is kept under. */
function bound(request: CreateSocketTokenRequest): Grant {
  return { ...request, session: request.session && hashOf(request.session) };
}

function parse(text: string): Grant {
  return fromJsonString(CreateSocketTokenRequestSchema, text, { ignoreUnknownFields: true });
}

function detailOf({ deviceId, purpose }: Grant): string {
  return `${SocketPurpose[purpose]?.toLowerCase() ?? ''} ${deviceId}`;
}
