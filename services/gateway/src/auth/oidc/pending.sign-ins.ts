import { Injectable } from '@nestjs/common';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { SignInRefused } from '../refusal/sign-in.refused.ts';

/** Maximum length of the path that a sign-in returns to; longer ones are dropped. */
const MAX_PATH = 1_200;
const STATE = /^[\w-]{43}$/;

/** A stored request to a provider. */
const requestSchema = z.object({
  protocol: z.literal('oidc'),
  provider: z.string(),
  salt: z.string(),
  /** Hash of the cookie that ties the answer to this browser. */
  browser: z.string(),
  path: z.string(),
  /** Whether the sign-in is a trial, which opens no session. */
  trial: z.boolean(),
  /** When the person was asked to sign in again, ms since 1970; not there for another sign-in. */
  askedAt: z.number().optional(),
});

/** The values that tie an answer of a provider to the request of the hub. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
  path: string;
  trial: boolean;
  /** When the person was asked to sign in again; undefined for another sign-in. */
  askedAt: Date | undefined;
}

/** Who a request is for. */
export interface RequestOf {
  provider: string;
  /** The value of the browser's sign-in cookie. */
  browser: string | undefined;
  requestId: string | undefined;
}

/**
 * Stores pending requests in the identity service, so that any replica of the gateway can handle the answer. Nonce and code verifier are
 * digests of the state, which only the browser and the provider have, and a salt, which only Redis has: neither alone gives them.
 */
@Injectable()
export class PendingSignIns {
  constructor(@InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>) {}

  async begin(
    of: RequestOf & { browser: string },
    more: { path: string; trial: boolean; recent: boolean },
  ): Promise<PendingSignIn> {
    const [state, salt] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')];
    const path = more.path.length > MAX_PATH ? '/' : more.path;
    const { provider, requestId } = of;
    const askedAt = more.recent ? Date.now() : undefined;
    const stored = { protocol: 'oidc', provider, salt, browser: digest(of.browser), path, trial: more.trial, askedAt };
    const request = { id: state, value: JSON.stringify(stored) };
    await this.identity.saveSamlRequest(serviceCaller('gateway', requestId), request);
    return { state, ...derived(state, salt), path, trial: more.trial, askedAt: timeOf(askedAt) };
  }

  /**
   * Consumes the pending request that an answer is for.
   * @throws SignInRefused `request` for an unknown or used state, or that of another provider or browser
   */
  async claim(state: string | undefined, { provider, browser, requestId }: RequestOf): Promise<PendingSignIn> {
    const refuse = (reason: string) => new SignInRefused(`state: ${reason}`, { provider, kind: 'request' });
    if (state === undefined || !STATE.test(state)) throw refuse('missing, or not one of this hub');
    const gateway = serviceCaller('gateway', requestId);
    const { value } = await this.identity.getSamlRequest(gateway, { id: state });
    const parsed = requestSchema.safeParse(value === undefined ? undefined : JSON.parse(value));
    if (!parsed.success) throw refuse('unknown, used before, or older than 10 minutes');
    const { salt, path, trial, askedAt, ...owner } = parsed.data;
    if (owner.provider !== provider) throw refuse(`of a request to ${owner.provider}`);
    if (browser === undefined || owner.browser !== digest(browser)) throw refuse('of another browser');
    const { id } = await this.identity.removeSamlRequest(gateway, { id: state });
    if (id === undefined) throw refuse('used before');
    return { state, ...derived(state, salt), path, trial, askedAt: timeOf(askedAt) };
  }
}

const timeOf = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));

function derived(state: string, salt: string) {
  return { nonce: digest('nonce', state, salt), codeVerifier: digest('code verifier', state, salt) };
}

/** SHA-256 as base64url, 43 characters, as a code verifier needs at least (RFC 7636, section 4.1). */
function digest(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
