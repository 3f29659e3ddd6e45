import { create } from '@bufbuild/protobuf';
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

/** What a grant keeps in Redis, under the hash of its secret. */
const stored = z.object({
  user: z.object({ userId: z.string(), email: z.string() }),
  deviceId: z.string(),
  slug: z.string(),
  /** Hash of the browser session that opened it. */
  session: z.string(),
  /** Whether a frame of another site uses it: there, browsers keep partitioned cookies only. */
  thirdParty: z.boolean().default(false),
  /** Milliseconds since 1970. */
  created: z.number(),
});

export type StoredGrant = z.output<typeof stored>;

/** SHA-256 as hex: Redis stores only digests, so that its data opens nothing. */
export function hashOf(secret: string): string {
  return hash('sha256', secret);
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A user of whom only the id and the e-mail are known yet; no role, so nothing is allowed. */
export function unknownUser(user: StoredGrant['user']) {
  return create(UserCallerSchema, user);
}

/** Grants in Redis, by the hash of their secret. */
@Injectable()
export class WebGrants {
  constructor(private readonly redis: RedisLink) {}

  /** @throws Fault `unavailable` */
  async save(id: string, grant: StoredGrant): Promise<void> {
    await reach(this.redis.client.set(keyOf(id), JSON.stringify(grant), 'EX', IDLE_S));
  }

  /** @throws Fault `unavailable` */
  async load(id: string): Promise<StoredGrant | undefined> {
    const text = await reach(this.redis.client.get(keyOf(id)));
    const grant = text === null ? undefined : stored.safeParse(JSON.parse(text)).data;
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
  async check({ user: { userId, email }, session, slug, deviceId }: StoredGrant): Promise<Right> {
    const tunnels = serviceCaller('tunnels');
    const [{ alive }, user, page] = await Promise.all([
      session === '' ? { alive: true } : this.identity.checkSession(tunnels, { session }),
      this.access.member({ email, userId }),
      this.pages.refresh(slug),
    ]);
    if (!alive) return { ended: 'The user has signed out.' };
    if (!user) return { ended: 'The user is disabled.' };
    if (page?.deviceId !== deviceId) return { ended: 'The device is deleted.' };
    if (!page.enabled) return { ended: `The web service of ${page.name} is disabled.` };
    const of = { accountId: page.accountId, ids: [deviceId] };
    const right = (await this.access.permitted(user, DevicePermission.WEB, of)).get(deviceId);
    return right ? { user, page, ...right } : { ended: 'The user may not reach the device.' };
  }
}
