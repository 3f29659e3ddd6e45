import { generateServiceProviderMetadata } from '@node-saml/passport-saml';
import { DOMParser, XMLSerializer } from '@xmldom/xmldom';
import { acsUrl, entityId, sloUrl, type AuthConfig } from '../auth.config.ts';
import type { HubKey } from './saml.settings.ts';
import { BINDING_REDIRECT, NS } from './xml.ts';

/** The hub's own metadata, for identity providers. Logout is taken by redirect as well as by POST. */
export function hubMetadata(config: Pick<AuthConfig, 'HUB_URL'>, key: HubKey | undefined): string {
  const xml = generateServiceProviderMetadata({
    issuer: entityId(config),
    callbackUrl: acsUrl(config),
    logoutCallbackUrl: sloUrl(config),
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => '_warren',
    ...(key ? { privateKey: key.privateKey, publicCerts: key.publicCert } : {}),
  });
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const post = document.getElementsByTagNameNS(NS.metadata, 'SingleLogoutService')[0];
  const redirect = post?.cloneNode(true) as Element | undefined;
  redirect?.setAttribute('Binding', BINDING_REDIRECT);
  if (post && redirect) post.parentNode?.insertBefore(redirect, post);
  return new XMLSerializer().serializeToString(document);
}
