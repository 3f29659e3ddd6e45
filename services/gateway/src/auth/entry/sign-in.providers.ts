import { Injectable } from '@nestjs/common';
import { maySignIn } from '../config/provider.domains.ts';
import type { OidcProvider } from '../oidc/oidc.provider.ts';
import { OidcProviders } from '../oidc/oidc.providers.ts';
import type { SamlProvider } from '../saml/saml.provider.ts';
import { SamlProviders } from '../saml/saml.providers.ts';

/** An identity provider with its protocol. */
export type SignInProvider =
  | { protocol: 'saml'; config: SamlProvider['config']; provider: SamlProvider }
  | { protocol: 'oidc'; config: OidcProvider['config']; provider: OidcProvider };

/** The identity providers of this hub, of both protocols. */
@Injectable()
export class SignInProviders {
  readonly all: readonly SignInProvider[];

  constructor(saml: SamlProviders, oidc: OidcProviders) {
    this.all = [
      ...saml.all.map((provider) => ({ protocol: 'saml' as const, config: provider.config, provider })),
      ...oidc.all.map((provider) => ({ protocol: 'oidc' as const, config: provider.config, provider })),
    ];
  }

  /** Returns the providers of the sign-in page, in order; at least one. */
  get listed(): readonly SignInProvider[] {
    return this.all.filter(({ config }) => config.listed);
  }

  byId(id: string): SignInProvider | undefined {
    return this.all.find(({ config }) => config.id === id);
  }

  /** Finds the provider that signs in an e-mail address, listed or not. */
  byEmail(email: string): SignInProvider | undefined {
    return this.all.find(({ config }) => maySignIn(config, email));
  }
}
