import { Inject, Injectable, Logger } from '@nestjs/common';
import { jwtVerify } from 'jose';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type IDToken,
} from 'openid-client';
import { createHash } from 'node:crypto';
import { AUTH_CONFIG, type AuthConfig } from '../config/auth.config.ts';
import type { VerifiedSignIn } from '../sign-in/session.opener.ts';
import { ALGORITHMS } from './algorithms.ts';
import type { OidcProvider } from './oidc.provider.ts';
import { PendingSignIns, type PendingSignIn } from './pending.sign-ins.ts';
import { SignInRefused } from '../refusal/sign-in.refused.ts';
import { describedClaims, groupsOf, isComplete, personOf, statesGroups, type UserInfoAnswer } from './person.ts';
import { refusalOf } from './refusals.ts';

/** Where a sign-in begins. */
export interface Beginning {
  /** The value of the browser's sign-in cookie. */
  browser: string;
  /** Path to return to. */
  path: string;
  requestId: string | undefined;
  /** E-mail address that the person typed, for the provider's page. */
  loginHint?: string | undefined;
  /** Whether the sign-in is a trial, which opens no session. */
  trial?: boolean;
  /** Whether the provider has to ask the person again. */
  recent?: boolean;
}

/** A verified sign-in, with what the provider told. */
export interface OidcAnswer extends VerifiedSignIn {
  received: Record<string, unknown>;
}

/** Returns the redirect URI of a provider. Each provider has its own, so that no answer is taken for another's (RFC 9700, section 4.4). */
function callbackUrl({ HUB_URL }: Pick<AuthConfig, 'HUB_URL'>, provider: string): string {
  return `${HUB_URL}/auth/oidc/${provider}/callback`;
}

/** Signs people in by the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636). */
@Injectable()
export class OidcSignIn {
  private readonly log = new Logger(OidcSignIn.name);

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    private readonly pending: PendingSignIns,
  ) {}

  /**
   * Begins a sign-in.
   * @returns the URL at the provider
   * @throws Fault `unavailable` before the provider's discovery document was read
   */
  async begin(provider: OidcProvider, beginning: Beginning): Promise<string> {
    const { configuration } = provider.discovered;
    const { id, scopes, maxAge } = provider.config;
    const { browser, path, requestId, loginHint, trial = false, recent = false } = beginning;
    const { state, nonce, codeVerifier } = await this.pending.begin(
      { provider: id, browser, requestId },
      { path, trial, recent },
    );
    return buildAuthorizationUrl(configuration, {
      redirect_uri: callbackUrl(this.config, id),
      scope: scopes.join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      // OpenID Connect Core 1.0, section 3.1.2.1; some providers heed only one of the two.
      ...(recent ? { max_age: '0', prompt: 'login' } : maxAge === undefined ? {} : { max_age: String(maxAge) }),
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
    }).href;
  }

  /**
   * Exchanges the code of an answer and verifies the ID token: issuer, audience, nonce, times, signature.
   * @param query of the answer, as it came
   * @throws SignInRefused
   */
  async verify(provider: OidcProvider, query: string, pending: PendingSignIn): Promise<OidcAnswer> {
    try {
      return await this.verified(provider, query, pending);
    } catch (error) {
      throw refusalOf(error, provider.config.id);
    }
  }

  private async verified(provider: OidcProvider, query: string, pending: PendingSignIn): Promise<OidcAnswer> {
    const { configuration, metadata, keys } = provider.discovered;
    const { config } = provider;
    const answer = new URL(`${callbackUrl(this.config, config.id)}?${query}`);
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.codeVerifier,
      idTokenExpected: true,
      ...(config.maxAge === undefined ? {} : { maxAge: config.maxAge }),
    });
    const [idToken, claims] = [tokens.id_token ?? '', tokens.claims() as IDToken];
    await jwtVerify(idToken, keys, {
      issuer: metadata.issuer,
      audience: config.clientId,
      algorithms: ALGORITHMS,
      clockTolerance: this.config.OIDC_CLOCK_TOLERANCE,
    });
    const userInfo = await this.askUserInfo(provider, claims, tokens.access_token);
    return {
      saml: personOf(claims, userInfo, config),
      groups: groupsOf(claims, userInfo, config),
      assertionId: createHash('sha256').update(idToken).digest('base64url'),
      assertionExpires: new Date((claims.exp + this.config.OIDC_CLOCK_TOLERANCE) * 1_000),
      authTime: claims.auth_time === undefined ? undefined : new Date(claims.auth_time * 1_000),
      idToken,
      received: describedClaims(claims, userInfo, config),
    };
  }

  /**
   * Asks UserInfo for what the ID token lacks of the person and the groups. If only the groups are missing, a failure leaves them unknown
   * and refuses nobody.
   */
  private async askUserInfo(provider: OidcProvider, claims: IDToken, accessToken: string): Promise<UserInfoAnswer> {
    const { config, discovered } = provider;
    const namesPerson = isComplete(claims, config);
    if (!discovered.metadata.userinfo_endpoint || (namesPerson && statesGroups(claims, config))) return undefined;
    try {
      return await fetchUserInfo(discovered.configuration, accessToken, claims.sub);
    } catch (error) {
      const refusal = refusalOf(error, config.id);
      if (!namesPerson || !(refusal instanceof SignInRefused)) throw error;
      this.log.warn({ provider: config.id, reason: refusal.message }, 'UserInfo could not be read for groups.');
      return 'unavailable';
    }
  }
}
