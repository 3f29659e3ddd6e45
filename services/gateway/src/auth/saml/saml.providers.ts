import { Inject, Injectable, Optional, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ConfigError } from '@warren/platform/config/load';
import { AUTH_CONFIG, type AuthConfig } from '../config/auth.config.ts';
import { ForbiddenProvider, SamlProvider } from './saml.provider.ts';
import { parseMetadata } from './verifier/metadata.ts';
import type { Trusted } from './verifier/tasks.ts';
import { WorkerHost } from './verifier/worker.host.ts';

/** Metadata of a federation is parsed off the event loop; that of one provider is a few kilobytes. */
const LARGE = 128 * 1024;

/** The identity providers of this hub. */
@Injectable()
export class SamlProviders implements OnModuleInit, OnApplicationShutdown {
  readonly all: readonly SamlProvider[];

  constructor(@Inject(AUTH_CONFIG) config: AuthConfig, @Optional() @Inject(WorkerHost) host?: WorkerHost) {
    const rules = { production: config.NODE_ENV === 'production', canSign: config.SAML_KEY_FILE !== undefined };
    const parse = (xml: string) =>
      host && xml.length > LARGE ? host.run('metadata', 'metadata', { xml }) : parseMetadata(xml);
    this.all = (config.SAML_PROVIDERS ?? []).map((provider) => {
      const otherNamed = (entityId: string) =>
        this.all.find((one) => one.config.id !== provider.id && one.isNamed(entityId))?.config.id;
      return new SamlProvider(provider, { ...rules, otherNamed }, parse);
    });
  }

  /** @throws ConfigError for a provider that production refuses, or two with one entity id. An unreachable one does not stop the start. */
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

  byId(id: string): SamlProvider | undefined {
    return this.all.find(({ config }) => config.id === id);
  }

  /** Returns the providers whose messages can be verified now. */
  get trusted(): Trusted[] {
    return this.all.flatMap((provider) => {
      const { usable, config } = provider;
      if (!usable) return [];
      const { id, domains, emailAttribute, groupsAttribute } = config;
      const { entityId, certificates } = usable;
      return [{ id, domains, emailAttribute, groupsAttribute, entityId, certificates }];
    });
  }
}
