import { Inject, Injectable } from '@nestjs/common';
import { ValidateInResponseTo, type SamlConfig } from '@node-saml/node-saml';
import { X509Certificate } from 'node:crypto';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { acsUrl, AUTH_CONFIG, entityId, sloUrl, type AuthConfig } from '../config/auth.config.ts';
import { readKey, readKeyPair, type HubKey } from './key.files.ts';
import { hubCertificateExpiry } from '../sign-in/metrics.ts';
import { RequestStore, type RequestOwner } from './request.store.ts';
import type { SamlProvider } from './saml.provider.ts';
import type { HubFacts } from './verifier/tasks.ts';

/** Maximum time at the provider; as long as the identity service stores a request. */
const REQUEST_LIFE_MS = 10 * 60_000;

/** The hub's SAML settings for providers. */
@Injectable()
export class SamlSettings {
  /** Signs the hub's messages. */
  readonly key: HubKey | undefined;
  /** Decrypts assertions; its certificate is published. */
  readonly decryption: HubKey | undefined;
  /** Private decryption keys, PEM: the published one and the previous one. */
  readonly decryptionKeys: readonly string[];

  constructor(
    @Inject(AUTH_CONFIG) private readonly config: AuthConfig,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
  ) {
    this.key = readKeyPair(['SAML_KEY_FILE', 'SAML_CERT_FILE'], config.SAML_KEY_FILE, config.SAML_CERT_FILE);
    const { SAML_DECRYPTION_KEY_FILE: key, SAML_DECRYPTION_CERT_FILE: certificate } = config;
    this.decryption = readKeyPair(['SAML_DECRYPTION_KEY_FILE', 'SAML_DECRYPTION_CERT_FILE'], key, certificate);
    const old = config.SAML_DECRYPTION_OLD_KEY_FILE;
    this.decryptionKeys = [
      ...(this.decryption ? [this.decryption.privateKey] : []),
      ...(old ? [readKey('SAML_DECRYPTION_OLD_KEY_FILE', old)] : []),
    ];
    for (const [use, pair] of Object.entries({ signing: this.key, decryption: this.decryption }))
      if (pair) hubCertificateExpiry.set({ use }, expiryOf(pair));
  }

  /**
   * Returns the options of node-saml for the hub's messages to a provider, for one browser.
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
      validateInResponseTo: ValidateInResponseTo.always,
      requestIdExpirationPeriodMs: REQUEST_LIFE_MS,
      cacheProvider: new RequestStore(this.identity, { ...owner, provider: provider.config.id }),
      // The provider chooses the authentication method: requiring a password would break security keys and second factors.
      disableRequestedAuthnContext: true,
      identifierFormat: null,
      forceAuthn: owner.recent ?? false,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      ...this.key,
    };
  }

  /** Returns the hub's settings for the worker that verifies messages. */
  get facts(): HubFacts {
    return {
      entityId: entityId(this.config),
      acsUrl: acsUrl(this.config),
      sloUrl: sloUrl(this.config),
      clockToleranceMs: this.config.SAML_CLOCK_TOLERANCE * 1000,
      decryptionKeys: this.decryptionKeys,
    };
  }
}

/** Seconds since 1970. */
function expiryOf({ publicCert }: HubKey): number {
  return new X509Certificate(publicCert).validToDate.getTime() / 1_000;
}
