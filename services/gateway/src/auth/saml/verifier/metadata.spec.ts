import { beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { parseMetadata } from './metadata.ts';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
let first: string;
let second: string;

const certificate = async (keySize: 2048 | 1024) => {
  const { cert } = await generate([{ name: 'commonName', value: 'idp' }], { keySize, algorithm: 'sha256' });
  return cert.replace(/-----[^-]+-----/g, '');
};
const key = (text: string, use = 'use="signing"') =>
  `<md:KeyDescriptor ${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
const sso = (location = 'https://idp.test/sso', binding = REDIRECT) =>
  `<md:SingleSignOnService Binding="${binding}" Location="${location}"/>`;
const entity = (inside: string, { entityID = 'https://idp.test/', attributes = '' } = {}) =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityID}" ${attributes}>${inside}</md:EntityDescriptor>`;
const idp = (inside: string, attributes = '') =>
  `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${attributes}>${inside}</md:IDPSSODescriptor>`;

beforeAll(async () => {
  [first, second] = await Promise.all([certificate(2048), certificate(2048)]);
});

describe('parseMetadata', () => {
  it('reads what sign-in needs', () => {
    const logout = `<md:SingleLogoutService Binding="${REDIRECT}" Location="https://idp.test/slo" ResponseLocation="https://idp.test/done"/>`;
    const xml = entity(
      idp(key(first) + logout + sso('https://idp.test/post', POST) + sso(), 'WantAuthnRequestsSigned="true"'),
      {
        attributes: 'validUntil="2030-01-01T00:00:00Z"',
      },
    );
    expect(parseMetadata(xml)).toMatchObject({
      entityId: 'https://idp.test/',
      signInUrl: 'https://idp.test/sso',
      logoutUrl: 'https://idp.test/slo',
      logoutAnswerUrl: 'https://idp.test/done',
      certificates: [expect.stringMatching(/^-----BEGIN CERTIFICATE-----/)],
      wantsSignedRequests: true,
      validUntil: new Date('2030-01-01T00:00:00Z'),
    });
  });

  it('reads every signing certificate once, and none for encryption', () => {
    const keys = key(first) + key(second, '') + key(first) + key(second, 'use="encryption"');
    expect(parseMetadata(entity(idp(keys + sso()))).certificates).toHaveLength(2);
    const none = /signing certificate \(came: none\)/;
    expect(() => parseMetadata(entity(idp(key(first, 'use="encryption"') + sso())))).toThrow(none);
  });

  it('reports a public key without a certificate', () => {
    const bare = '<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:KeyValue/></ds:KeyInfo></md:KeyDescriptor>';
    expect(() => parseMetadata(entity(idp(bare + sso())))).toThrow(/came: a public key alone/);
  });

  it('finds the one identity provider among several entities', () => {
    const xml = `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${entity('<md:SPSSODescriptor/>', { entityID: 'https://sp.test/' })}${entity(idp(key(first) + sso()))}</md:EntitiesDescriptor>`;
    expect(parseMetadata(xml).entityId).toBe('https://idp.test/');
  });

  it.each<[string, () => string, RegExp]>([
    ['no XML', () => 'hello', /not well-formed|no XML/],
    ['an HTML page', () => '<html><body>Login</body></html>', /EntityDescriptor/],
    ['a document type', () => `<!DOCTYPE x [<!ENTITY a "b">]>${entity(idp(key(first) + sso()))}`, /document type/],
    ['only a service provider', () => entity('<md:SPSSODescriptor/>'), /IDPSSODescriptor/],
    ['no entity id', () => entity(idp(key(first) + sso()), { entityID: '' }), /entityID/],
    ['no certificate', () => entity(idp(sso())), /certificate/],
    ['an unreadable certificate', () => entity(idp(key('AAAA') + sso())), /X509Certificate: not readable/],
    ['no redirect binding', () => entity(idp(key(first) + sso('https://idp.test/post', POST))), /HTTP-Redirect/],
    [
      'a strange address',
      () => entity(idp(key(first) + sso('javascript:alert(1)'))),
      /SingleSignOnService.*javascript/,
    ],
    ['a strange time', () => entity(idp(key(first) + sso()), { attributes: 'validUntil="soon"' }), /validUntil.*soon/],
  ])('says what is wrong with %s', (_what, xml, message) => {
    expect(() => parseMetadata(xml())).toThrow(message);
  });
});
