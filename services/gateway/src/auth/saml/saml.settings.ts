import { Inject, Injectable } from '@nestjs/common';
import { ValidateInResponseTo, type SamlConfig } from '@node-saml/passport-saml';
import { ConfigError } from '@warren/platform/config/load';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { readFileSync } from 'node:fs';
import { acsUrl, AUTH_CONFIG, entityId, sloUrl, type AuthConfig } from '../auth.config.ts';
import { RequestStore, type RequestOwner } from './request.store.ts';
import type { SamlProvider } from './saml.provider.ts';

/** How far the clocks of hub and provider may be apart. */
export const CLOCK_SKEW_MS = 3_000;
/** A person may take this long at the provider; as long as the identity service remembers a request. */
const REQUEST_LIFE_MS = 10 * 60_000;
/** An assertion older than this is refused whatever it says itself. */
const MAX_ASSERTION_AGE_MS = 10 * 60_000;

/** The hub's own key and certificate, PEM. */
export interface HubKey {
  privateKey: string;
  publicCert: string;
}

/** How the hub speaks SAML with a provider. */
@Injectable()
export class SamlSettings {
  readonly key: HubKey | undefined;

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {
    const { SAML_KEY_FILE: key, SAML_CERT_FILE: certificate } = config;
    if (key && certificate) {
      this.key = { privateKey: read('SAML_KEY_FILE', key), publicCert: read('SAML_CERT_FILE', certificate) };
    }
  }

  /**
   * Options of node-saml for one provider and one browser.
   * @throws Fault `unavailable` while the provider has no metadata
   */
  for(provider: SamlProvider, owner: Omit<RequestOwner, 'provider'>): SamlConfig {
    const { metadata } = provider;
    return {
      issuer: entityId(this.config),
      callbackUrl: acsUrl(this.config),
      logoutCallbackUrl: sloUrl(this.config),
      audience: entityId(this.config),
      entryPoint: metadata.signInUrl,
      logoutUrl: metadata.logoutUrl ?? '',
      idpIssuer: metadata.entityId,
      idpCert: metadata.certificates,
      // Either the assertion is signed or the response around it; node-saml reads signed bytes only, in both cases.
      wantAssertionsSigned: false,
      wantAuthnResponseSigned: false,
      validateInResponseTo: ValidateInResponseTo.always,
      requestIdExpirationPeriodMs: REQUEST_LIFE_MS,
      cacheProvider: new RequestStore(this.identity, { ...owner, provider: provider.config.id }),
      acceptedClockSkewMs: CLOCK_SKEW_MS,
      maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
      // How people prove who they are is the provider's business: demanding a password breaks keys and second factors.
      disableRequestedAuthnContext: true,
      identifierFormat: null,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      ...this.key,
    };
  }
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError(`${name}: expected a readable PEM file (came: ${JSON.stringify(path)})`, { cause });
  }
}
