import { create, fromJson, toJson, type JsonValue } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { DevicePermission, UserCallerSchema } from '@warren/proto/common/v1/common';
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { serviceCaller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { AccessRights, type Allowed } from '../access/access.rights.ts';
import { type WebService, WebServices } from './web.services.ts';

/** Idle timeout of a grant. */
const IDLE_S = 8 * 3600;
/** The session that it came from ends by then in any case. */
export const LIFE_S = 7 * 24 * 3600;
const RETRY_S = 2;
const MOVED = 'The guest link is for a web service that the device does not have any more.';

const common = {
  deviceId: z.string(),
  slug: z.string(),
  /** Hash of the browser session that opened it. */
  session: z.string(),
  /** Whether a frame of another site uses it: there, browsers keep partitioned cookies only. */
  thirdParty: z.boolean().default(false),
  /** Milliseconds since 1970. */
  created: z.number(),
};
const ofMember = z.object({ user: z.object({ userId: z.string(), email: z.string() }), ...common });
/**
 * Of a guest: the maker of the link, with what narrows them. It has no `user`, so that replicas of the version before find no grant here:
 * they would take the guest for the maker.
 */
const ofGuest = z.object({ narrowed: z.custom<JsonValue>((value) => typeof value === 'object'), ...common });
const stored = z.union([ofMember, ofGuest]);

/** Whose a grant is. `token` and `guest` narrow the maker of a link to what a guest may. */
export type GrantUser = Pick<UserCaller, 'userId' | 'email' | 'token' | 'guest'>;

/** What a grant keeps in Redis, under the hash of its secret. */
export interface StoredGrant extends z.output<z.ZodObject<typeof common>> {
  user: GrantUser;
}

function written({ user, ...grant }: StoredGrant): string {
  const { userId, email, token, guest } = user;
  if (!guest) return JSON.stringify({ user: { userId, email }, ...grant });
  const narrowed = create(UserCallerSchema, { userId, email, guest, ...(token && { token }) });
  return JSON.stringify({ narrowed: toJson(UserCallerSchema, narrowed), ...grant });
}

function read(text: string): StoredGrant | undefined {
  const { data } = stored.safeParse(JSON.parse(text));
  if (!data || !('narrowed' in data)) return data;
  const { narrowed, ...grant } = data;
  const { userId, email, token, guest } = fromJson(UserCallerSchema, narrowed, { ignoreUnknownFields: true });
  return guest && { user: { userId, email, guest, ...(token && { token }) }, ...grant };
}

/** SHA-256 as hex: Redis stores only digests, so that its data opens nothing. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A user of whom only the id and the e-mail are known yet; no role, so nothing is allowed. */
export function unknownUser({ userId, email, token, guest }: GrantUser): UserCaller {
  return create(UserCallerSchema, { userId, email, ...(token && { token }), ...(guest && { guest }) });
}

/** Whether a grant is for a web service: that of a guest leads to the one that the link names, and to no other of the device. */
export function leadsTo({ user: { guest }, deviceId }: StoredGrant, page: WebService): boolean {
  if (page.deviceId !== deviceId) return false;
  if (!guest) return true;
  const { permission, web } = guest;
  if (permission !== DevicePermission.WEB || guest.deviceId !== deviceId) return false;
  return web?.slug === page.slug && web.ip === page.ip && web.port === page.port;
}

/** Grants in Redis, by the hash of their secret. */
@Injectable()
export class WebGrants {
  constructor(private readonly redis: RedisLink) {}

  /** @throws Fault `unavailable` */
  async save(id: string, grant: StoredGrant): Promise<void> {
    await reach(this.redis.client.set(keyOf(id), written(grant), 'EX', IDLE_S));
  }

  /** @throws Fault `unavailable` */
  async load(id: string): Promise<StoredGrant | undefined> {
    const text = await reach(this.redis.client.get(keyOf(id)));
    const grant = text === null ? undefined : read(text);
    return grant && grant.created + LIFE_S * 1000 > Date.now() ? grant : undefined;
  }

  /** Counts as use. Never rejects: a grant that is not prolonged now is at the next use. */
  async touch(id: string): Promise<void> {
    await this.redis.client.expire(keyOf(id), IDLE_S).catch(() => {});
  }

  /** Never rejects: a grant that survives is checked when it is used. */
  async remove(id: string): Promise<void> {
    await this.redis.client.del(keyOf(id)).catch(() => {});
  }
}

function keyOf(id: string): string {
  return `tunnels:web:${id}`;
}

async function reach<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    throw new Fault('unavailable', 'The store of open pages does not answer.', { cause, retryAfter: RETRY_S });
  }
}

/** What a grant is worth now: who its user is and where it leads, or why it is worth nothing any more. */
export type Right = Granted | { ended: string };

export interface Granted extends Allowed {
  user: UserCaller;
  page: WebService;
}

/** Checks with each responsible service whether a user may still open the web services of a device. */
@Injectable()
export class WebRights {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    private readonly access: AccessRights,
    private readonly pages: WebServices,
  ) {}

  /** @throws Fault `unavailable` if a service does not answer */
  async check(grant: StoredGrant): Promise<Right> {
    const { session, slug, deviceId } = grant;
    const tunnels = serviceCaller('tunnels');
    const [{ alive }, user, page] = await Promise.all([
      session === '' ? { alive: true } : this.identity.checkSession(tunnels, { session }),
      this.access.member(grant.user),
      this.pages.refresh(slug),
    ]);
    if (!alive) return { ended: 'The user has signed out.' };
    if (!user) return { ended: 'The user is disabled.' };
    if (page?.deviceId !== deviceId) return { ended: 'The device is deleted.' };
    if (!leadsTo(grant, page)) return { ended: MOVED };
    if (!page.enabled) return { ended: `The web service of ${page.name} is disabled.` };
    const of = { accountId: page.accountId, ids: [deviceId] };
    const right = (await this.access.permitted(user, DevicePermission.WEB, of)).get(deviceId);
    return right ? { user, page, ...right } : { ended: 'The user may not reach the device.' };
  }
}
