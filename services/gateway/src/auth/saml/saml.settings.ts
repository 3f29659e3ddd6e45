import { Inject, Injectable } from '@nestjs/common';
import { ValidateInResponseTo, type SamlConfig } from '@node-saml/passport-saml';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { acsUrl, AUTH_CONFIG, entityId, sloUrl, type AuthConfig } from '../auth.config.ts';
import { readKey, readKeyPair, type HubKey } from './key.files.ts';
import { RequestStore, type RequestOwner } from './request.store.ts';
import type { SamlProvider } from './saml.provider.ts';

/** How far the clocks of hub and provider may be apart. */
export const CLOCK_SKEW_MS = 3_000;
/** A person may take this long at the provider; as long as the identity service remembers a request. */
const REQUEST_LIFE_MS = 10 * 60_000;
/** An assertion older than this is refused whatever it says itself. */
const MAX_ASSERTION_AGE_MS = 10 * 60_000;

/** How the hub speaks SAML with a provider. */
@Injectable()
export class SamlSettings {
  /** Signs what the hub sends. */
  readonly key: HubKey | undefined;
  /** Opens what providers encrypt for the hub; its certificate is published. */
  readonly decryption: HubKey | undefined;
  /** Private keys, PEM, that what providers encrypt may be for: the published one, and the one before it. */
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
  }

  /**
   * Options of node-saml for one provider and one browser.
   * @param decryptionPvk the key that an encrypted assertion is for
   * @throws Fault `unavailable` while the provider has no metadata
   */
  for(
    provider: SamlProvider,
    owner: Omit<RequestOwner, 'provider'>,
    decryptionPvk = this.decryptionKeys[0],
  ): SamlConfig {
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
      ...(decryptionPvk ? { decryptionPvk } : {}),
    };
  }
}
