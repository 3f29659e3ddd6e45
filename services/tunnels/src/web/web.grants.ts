import { create } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { UserCallerSchema } from '@warren/proto/common/v1/common';
import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { StoredGrant } from './web.session.ts';

/** A grant that nobody uses for this long ends. */
const IDLE_S = 8 * 3600;
/** The session that it came from ends by then in any case. */
export const LIFE_S = 7 * 24 * 3600;
const RETRY_S = 2;

const stored = z.object({
  user: z.object({ userId: z.string(), email: z.string() }),
  deviceId: z.string(),
  slug: z.string(),
  session: z.string(),
  thirdParty: z.boolean().default(false),
  created: z.number(),
});

/** SHA-256 as hex: what stands in Redis, so that reading Redis opens nothing. */
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

  /** Never rejects: whoever brings a grant back has its right checked anew. */
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
