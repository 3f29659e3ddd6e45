import { Logger } from '@nestjs/common';
import { isLoopback } from '@warren/platform/config/loopback';
import { Fault } from '@warren/platform/errors/fault';
import { createRemoteJWKSet, customFetch as joseFetch, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  None,
  type ClientAuth,
  type Configuration,
  type ServerMetadata,
} from 'openid-client';
import { readSecret, type OidcProviderConfig } from '../config/oidc.config.ts';
import { metadataChecked, metadataUsable } from '../sign-in/metrics.ts';
import { RefreshLoop } from '../sign-in/refresh.loop.ts';
import { ANSWER_MS, boundedFetch, requireSafeUrl, UnusableAnswer } from './bounded.fetch.ts';

/** Milliseconds between reads of the discovery document. */
const DISCOVERY_MS = 3_600_000;
/** Milliseconds that keys are used without being read again. */
const KEYS_KEPT_MS = 600_000;
/** Milliseconds between reads of the keys that tokens with unknown keys cause. */
const KEYS_COOLDOWN_MS = 30_000;

/** The endpoints that the hub calls itself, and those that it sends browsers to. */
const CALLED = ['token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const;
const SHOWN = ['authorization_endpoint', 'end_session_endpoint'] as const;
const REQUIRED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** What is known of a provider: its discovery document, and its keys. */
interface Discovered {
  configuration: Configuration;
  metadata: ServerMetadata;
  keys: JWTVerifyGetKey;
}

/**
 * An OpenID Connect provider with its current discovery document (OpenID Connect Discovery 1.0). If reading fails it is retried with
 * growing delays, and the former document stays in use.
 */
export class OidcProvider {
  private readonly log = new Logger(OidcProvider.name);
  private readonly loop = new RefreshLoop(DISCOVERY_MS, () => this.refresh());
  private readonly fetch: ReturnType<typeof boundedFetch>;
  private readonly local: boolean;
  private current: Discovered | undefined;
  private lastProblem = '';

  /** @param options `production` refuses plain http; `toleranceS` is the accepted clock skew in seconds */
  constructor(
    readonly config: OidcProviderConfig,
    private readonly options: { production: boolean; toleranceS: number },
  ) {
    this.local = !options.production && isLoopback(new URL(config.issuer).hostname);
    this.fetch = boundedFetch(this.local);
  }

  /** Reads the discovery document, and refreshes it from then on. Does not reject if it can't be read. */
  async start(): Promise<void> {
    this.loop.schedule(await this.refresh());
  }

  stop(): void {
    this.loop.stop();
  }

  /** Tells whether people can sign in now. */
  get usable(): boolean {
    return this.current !== undefined;
  }

  /**
   * Returns what is known of the provider.
   * @throws Fault `unavailable` before the discovery document was read
   */
  get discovered(): Discovered {
    if (this.current) return this.current;
    throw new Fault('unavailable', `${this.config.name} can't be used now; its discovery document could not be read.`);
  }

  /** Reads the discovery document once. @returns the error */
  async refresh(): Promise<unknown> {
    try {
      this.use(await this.discover());
      metadataChecked.set({ provider: this.config.id }, Date.now() / 1_000);
      return undefined;
    } catch (problem) {
      this.report(reasonOf(problem));
      return problem;
    } finally {
      metadataUsable.set({ provider: this.config.id }, this.current ? 1 : 0);
    }
  }

  private discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecretFile } = this.config;
    return discovery(
      new URL(issuer),
      clientId,
      { [clockTolerance]: this.options.toleranceS },
      clientSecretFile === undefined ? None() : secretOf(clientSecretFile),
      {
        [customFetch]: this.fetch as never,
        timeout: ANSWER_MS / 1_000,
        execute: this.local ? [allowInsecureRequests] : [],
      },
    );
  }

  private use(configuration: Configuration): void {
    const metadata = configuration.serverMetadata();
    // A document for any tenant (Entra ID's `common`) names no issuer that tokens could be held to.
    if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).href !== new URL(this.config.issuer).href)
      throw new UnusableAnswer(`expected the issuer ${this.config.issuer} (came: ${metadata.issuer.slice(0, 200)})`);
    this.requireEndpoints(metadata);
    const same = this.current?.metadata.jwks_uri === metadata.jwks_uri ? this.current?.keys : undefined;
    this.current = { configuration, metadata, keys: same ?? this.keysAt(metadata.jwks_uri ?? '') };
    if (this.lastProblem !== '' || !same)
      this.log.log({ provider: this.config.id, issuer: metadata.issuer }, 'Discovery document of a provider was read.');
    this.lastProblem = '';
  }

  private keysAt(address: string): JWTVerifyGetKey {
    return createRemoteJWKSet(new URL(address), {
      timeoutDuration: ANSWER_MS,
      cooldownDuration: KEYS_COOLDOWN_MS,
      cacheMaxAge: KEYS_KEPT_MS,
      [joseFetch]: this.fetch as never,
    });
  }

  /** A discovery document must not lead the hub to this machine or its neighbours. */
  private requireEndpoints(metadata: ServerMetadata): void {
    const missing = REQUIRED.find((name) => !metadata[name]);
    if (missing) throw new UnusableAnswer(`the discovery document has no ${missing}`);
    for (const name of [...CALLED, ...SHOWN]) {
      const address = metadata[name];
      if (address === undefined) continue;
      const { hostname } = requireSafeUrl(address, this.local);
      const inside =
        !this.local && (isLoopback(hostname) || /^(169\.254\.|\[fe[89ab]|0\.0\.0\.0$|\[::\]$)/i.test(hostname));
      if (inside) throw new UnusableAnswer(`${name}: expected an address beyond this machine (came: ${hostname})`);
    }
  }

  private report(problem: string): void {
    const { id, issuer } = this.config;
    if (problem !== this.lastProblem)
      this.log.warn({ provider: id, issuer, reason: problem }, 'Discovery document of a provider is not usable.');
    this.lastProblem = problem;
  }
}

/** Authenticates the hub with its secret, in the way that the provider takes. The file is read each time, so it can be rotated. */
function secretOf(path: string): ClientAuth {
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const method = methods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic;
    return method(readSecret(path))(server, client, body, headers);
  };
}

/** Returns the innermost reason of a failed request. */
export function reasonOf(error: unknown): string {
  const { cause } = (error ?? {}) as { cause?: unknown };
  if (cause instanceof Error) return reasonOf(cause);
  return error instanceof Error ? error.message : String(error);
}
