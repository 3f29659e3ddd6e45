import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { buildEndSessionUrl } from 'openid-client';
import { AUTH_CONFIG, signedOutUrl, type AuthConfig } from '../config/auth.config.ts';
import { verifyLogoutToken } from './logout.token.ts';
import type { OidcProvider } from './oidc.provider.ts';

/** Signs people out at their provider, or here at its request. */
@Injectable()
export class OidcLogout {
  private readonly log = new Logger(OidcLogout.name);

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  /**
   * Returns the URL that signs the browser out at the provider (OpenID Connect RP-Initiated Logout 1.0); undefined if it has none.
   * @param idToken of the session that ended; empty without one
   */
  providerUrl(provider: OidcProvider, idToken: string): string | undefined {
    try {
      const { configuration, metadata } = provider.discovered;
      if (!metadata.end_session_endpoint) return undefined;
      return buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: signedOutUrl(this.config),
        ...(idToken ? { id_token_hint: idToken } : {}),
      }).href;
    } catch (error) {
      // The session here has ended; only the logout at the provider is incomplete.
      this.log.warn({ err: error, provider: provider.config.id }, 'Signing out at a provider is not possible now.');
      return undefined;
    }
  }

  /**
   * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0). A token that came before changes nothing.
   * @throws SignInRefused
   */
  async endSessions(provider: OidcProvider, token: string, gateway: Caller): Promise<void> {
    const verified = await verifyLogoutToken(provider, token, this.config.OIDC_CLOCK_TOLERANCE);
    const { tokenId, expires, ...value } = verified;
    await this.identity.endSessions(gateway, {
      of: { case: 'subject', value },
      tokenId,
      tokenExpires: timestampFromDate(expires),
    });
  }
}
