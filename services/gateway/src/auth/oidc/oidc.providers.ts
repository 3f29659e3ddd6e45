import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AUTH_CONFIG, type AuthConfig } from '../config/auth.config.ts';
import { OidcProvider } from './oidc.provider.ts';

/** The OpenID Connect providers of this hub. */
@Injectable()
export class OidcProviders implements OnModuleInit, OnApplicationShutdown {
  readonly all: readonly OidcProvider[];

  constructor(@Inject(AUTH_CONFIG) config: AuthConfig) {
    const options = { production: config.NODE_ENV === 'production', toleranceS: config.OIDC_CLOCK_TOLERANCE };
    this.all = (config.OIDC_PROVIDERS ?? []).map((provider) => new OidcProvider(provider, options));
  }

  /** An unreachable provider does not stop the start. */
  async onModuleInit(): Promise<void> {
    await Promise.all(this.all.map((provider) => provider.start()));
  }

  onApplicationShutdown(): void {
    for (const provider of this.all) provider.stop();
  }

  byId(id: string): OidcProvider | undefined {
    return this.all.find(({ config }) => config.id === id);
  }
}
