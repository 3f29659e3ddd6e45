import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ConfigError } from '@warren/platform/config/load';
import { AUTH_CONFIG, type AuthConfig } from '../auth.config.ts';
import { SignInRefused } from './sign-in.refused.ts';
import { ForbiddenProvider, SamlProvider } from './saml.provider.ts';

/** The identity providers of this hub. */
@Injectable()
export class SamlProviders implements OnModuleInit, OnApplicationShutdown {
  readonly all: readonly SamlProvider[];

  constructor(@Inject(AUTH_CONFIG) config: AuthConfig) {
    const rules = { production: config.NODE_ENV === 'production', canSign: config.SAML_KEY_FILE !== undefined };
    this.all = config.SAML_PROVIDERS.map((provider) => new SamlProvider(provider, rules));
  }

  /** @throws ConfigError for a provider that production refuses; one that can't be reached does not stop the start */
  async onModuleInit(): Promise<void> {
    try {
      await Promise.all(this.all.map((provider) => provider.start()));
    } catch (error) {
      throw error instanceof ForbiddenProvider ? new ConfigError(error.message) : error;
    }
  }

  onApplicationShutdown(): void {
    for (const provider of this.all) provider.stop();
  }

  /** Those that people are offered, in their order; at least one. */
  get listed(): readonly SamlProvider[] {
    return this.all.filter(({ config }) => config.listed);
  }

  byId(id: string): SamlProvider | undefined {
    return this.all.find(({ config }) => config.id === id);
  }

  /**
   * The provider that calls itself so.
   * @throws SignInRefused for a name that nobody has
   */
  byEntityId(entityId: string): SamlProvider {
    const provider = this.all.find((one) => one.isNamed(entityId));
    if (provider) return provider;
    throw new SignInRefused(`unknown issuer ${JSON.stringify(entityId.slice(0, 200))}`);
  }
}
