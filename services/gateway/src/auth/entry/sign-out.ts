import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { OidcLogout } from '../oidc/oidc.logout.ts';
import { OidcProviders } from '../oidc/oidc.providers.ts';
import { LogoutService } from '../saml/logout.service.ts';

/** Signs people out at their own request. */
@Injectable()
export class SignOut {
  constructor(
    private readonly saml: LogoutService,
    private readonly oidc: OidcLogout,
    private readonly oidcProviders: OidcProviders,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {}

  /**
   * Ends a session.
   * @returns the URL that signs the browser out at the provider; undefined if the provider has none
   */
  async of(secret: string, gateway: Caller): Promise<string | undefined> {
    const session = await this.identity.getSession(gateway, { session: secret }).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unauthenticated') return undefined;
      throw error;
    });
    if (!session) return undefined;
    const { idToken } = await this.identity.signOut(gateway, { session: secret });
    const provider = this.oidcProviders.byId(session.saml?.provider ?? '');
    if (provider) return this.oidc.providerUrl(provider, idToken);
    return session.saml && this.saml.providerUrl(session.saml, gateway.requestId);
  }
}
