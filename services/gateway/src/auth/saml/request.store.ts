import type { CacheProvider } from '@node-saml/node-saml';
import { serviceCaller } from '@warren/platform/rpc/caller';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { IdentityService } from '@warren/proto/identity/v1/identity';
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A stored request to a provider. */
const requestSchema = z.object({
  provider: z.string(),
  /** When it was sent, ISO 8601. */
  sent: z.string(),
  /** Hash of the cookie that ties the answer to this browser; empty over plain http. */
  browser: z.string(),
  /** Whether the sign-in is a trial, which opens no session. */
  trial: z.boolean().default(false),
  /** Whether the person was to sign in again, however long the provider's own session lasts. */
  recent: z.boolean().default(false),
});

/** The provider and browser of a request; an answer must have the same. */
export interface RequestOwner {
  /** Empty for an answer whose provider is unknown. */
  provider: string;
  /** The sign-in cookie's value; undefined over plain http. */
  browser: string | undefined;
  requestId: string | undefined;
  trial?: boolean;
  recent?: boolean;
}

/**
 * Stores node-saml's pending requests in the identity service, so that any replica of the gateway can handle the answer.
 */
export class RequestStore implements CacheProvider {
  constructor(
    private readonly identity: RpcClient<typeof IdentityService>,
    private readonly owner: RequestOwner,
  ) {}

  async saveAsync(id: string, sent: string) {
    const value = JSON.stringify({
      provider: this.owner.provider,
      sent,
      browser: this.browser,
      trial: this.owner.trial,
      recent: this.owner.recent,
    });
    await this.identity.saveSamlRequest(this.caller, { id, value });
    return { value: sent, createdAt: Date.now() };
  }

  async getAsync(id: string): Promise<string | null> {
    return (await this.pending(id))?.sent ?? null;
  }

  /** The pending request of this browser, of this provider or, if that is empty, of any. */
  async pending(id: string): Promise<z.output<typeof requestSchema> | undefined> {
    if (!id) return undefined;
    const { value } = await this.identity.getSamlRequest(this.caller, { id });
    const { data: request } = requestSchema.safeParse(value === undefined ? undefined : JSON.parse(value));
    const { provider } = this.owner;
    const isOwn = request?.browser === this.browser && (provider === '' || request.provider === provider);
    return isOwn ? request : undefined;
  }

  /**
   * Consumes a pending request of this provider and browser.
   * @returns what it was for, and when the person was asked to sign in again if so; undefined if it was not pending, as for one of two concurrent calls
   */
  async claim(id: string): Promise<{ trial: boolean; askedAt: Date | undefined } | undefined> {
    const request = await this.pending(id);
    if (!request || (await this.removeAsync(id)) === null) return undefined;
    return { trial: request.trial, askedAt: request.recent ? new Date(request.sent) : undefined };
  }

  async removeAsync(id: string | null): Promise<string | null> {
    if (id === null) return null;
    const removed = await this.identity.removeSamlRequest(this.caller, { id });
    return removed.id ?? null;
  }

  private get browser(): string {
    const { browser } = this.owner;
    return browser === undefined ? '' : createHash('sha256').update(browser).digest('hex');
  }

  private get caller() {
    return serviceCaller('gateway', this.owner.requestId);
  }
}
