import { Injectable } from '@nestjs/common';
import { invalidInput } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { reach } from '@warren/platform/redis/commit';
import { hashOf } from '../secrets/secret.ts';

/** Timeout of a sign-in at the identity provider. */
const REQUEST_MS = 10 * 60_000;
/** Longer than any accepted clock skew. */
const MARGIN_MS = 60_000;
/** Maximum time that a used assertion is remembered; older ones are refused by their age. */
const MAX_ASSERTION_MS = 24 * 3600_000;
const MAX_ID = 512;

function requestKey(id: string): string {
  return `identity:saml-request:${hashOf(id)}`;
}

/** Ids of pending SAML requests, and of used assertions. */
@Injectable()
export class SamlState {
  constructor(private readonly redis: RedisLink) {}

  /** @throws Fault `invalid_argument` for an id or a value that is empty or too long */
  async saveRequest(id: string, value: string): Promise<void> {
    if (!id || id.length > MAX_ID || value.length > 4 * MAX_ID) {
      throw invalidInput({ field: 'id', message: `${id.length} characters came, expected 1 to ${MAX_ID}.` });
    }
    await reach(this.redis.client.set(requestKey(id), value, 'PX', REQUEST_MS));
  }

  async getRequest(id: string): Promise<string | undefined> {
    return (await reach(this.redis.client.get(requestKey(id)))) ?? undefined;
  }

  /** @returns whether the id existed; true for one of two concurrent calls */
  async removeRequest(id: string): Promise<boolean> {
    return (await reach(this.redis.client.del(requestKey(id)))) === 1;
  }

  /**
   * Marks an assertion as used until it expires. Of two concurrent calls, one fails.
   * @returns false for a replay
   */
  async useAssertion(provider: string, id: string, expires: Date): Promise<boolean> {
    const left = Math.min(Math.max(expires.getTime() - Date.now(), 0), MAX_ASSERTION_MS) + MARGIN_MS;
    const key = `identity:assertion:${hashOf(provider, id)}`;
    return (await reach(this.redis.client.set(key, '1', 'PX', left, 'NX'))) === 'OK';
  }
}
