import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { acsUrl, entityId, sloUrl, type AuthConfig } from '../config/auth.config.ts';
import type { HubKey } from './key.files.ts';
import { BINDING_REDIRECT, NS } from './verifier/xml.ts';

/** The hub's published certificates. Without them it neither signs nor decrypts. */
export interface HubKeys {
  key: HubKey | undefined;
  decryption: HubKey | undefined;
}

/** Builds the hub's metadata for identity providers. It accepts logout by redirect and by POST. */
export function hubMetadata(config: Pick<AuthConfig, 'HUB_URL'>, keys: HubKeys): string {
  const { key, decryption } = keys;
  const xml = generateServiceProviderMetadata({
    issuer: entityId(config),
    callbackUrl: acsUrl(config),
    logoutCallbackUrl: sloUrl(config),
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => '_warren',
    ...(key ? { privateKey: key.privateKey, publicCerts: key.publicCert } : {}),
    ...(decryption ? { decryptionPvk: decryption.privateKey, decryptionCert: decryption.publicCert } : {}),
  });
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const post = document.getElementsByTagNameNS(NS.metadata, 'SingleLogoutService')[0];
  const redirect = post?.cloneNode(true) as Element | undefined;
  redirect?.setAttribute('Binding', BINDING_REDIRECT);
  if (post && redirect) post.parentNode?.insertBefore(redirect, post);
  return new XMLSerializer().serializeToString(document);
}
