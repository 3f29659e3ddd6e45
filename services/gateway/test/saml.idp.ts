import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { createSign } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { generate } from 'selfsigned';

/** The API of samlp 8 that tests use; it ships no types. */
interface Samlp {
  getSamlResponse(options: object, user: object, done: (error: unknown, xml: string) => void): void;
}
const samlp = createRequire(import.meta.url)('samlp') as Samlp;

const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

export interface AnswerOptions {
  inResponseTo: string | undefined;
  email?: string;
  claims?: Record<string, unknown>;
  nameId?: string;
  nameIdFormat?: string;
  audience?: string;
  recipient?: string;
  destination?: string;
  seconds?: number;
  sessionIndex?: string;
  signAssertion?: boolean;
  signResponse?: boolean;
  algorithm?: 'rsa-sha256' | 'rsa-sha1';
}

export const decode = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');
export const encode = (xml: string) => Buffer.from(xml, 'utf8').toString('base64');

/** An identity provider that says what a test wants it to say, with its own signature. */
export class TestIdp {
  private constructor(
    readonly entityId: string,
    readonly hub: string,
    readonly keys: { private: string; cert: string },
  ) {}

  static async make(entityId: string, hub: string): Promise<TestIdp> {
    const keys = await generate([{ name: 'commonName', value: entityId }], { keySize: 2048, algorithm: 'sha256' });
    return new TestIdp(entityId, hub, keys);
  }

  /** The same provider with a new key; with the old one's name in its certificate. */
  async renewed(): Promise<TestIdp> {
    const { keys } = await TestIdp.make(this.entityId, this.hub);
    return new TestIdp(this.entityId, this.hub, keys);
  }

  /** The same provider by its entity id, with another key and certificate. */
  async forged(): Promise<TestIdp> {
    const { keys } = await TestIdp.make('somebody else', this.hub);
    return new TestIdp(this.entityId, this.hub, keys);
  }

  metadata(more: { sso?: string; attributes?: string; logout?: boolean } = {}): string {
    const { sso = 'https://idp.test/sso', attributes = '', logout = true } = more;
    const certificate = this.keys.cert.replace(/-----[^-]+-----|\s/g, '');
    const slo =
      '<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/slo" ResponseLocation="https://idp.test/slo-answer"/>';
    return `<?xml version="1.0"?>
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${this.entityId}">
        <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ${attributes}>
          <KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
            <X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
          ${logout ? slo : ''}
          <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.test/post"/>
          <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${sso}"/>
        </IDPSSODescriptor>
      </EntityDescriptor>`;
  }

  /** A SAMLResponse, base64. */
  answer(options: AnswerOptions): Promise<string> {
    const { email = 'ada@hub.test', nameId = email, nameIdFormat = EMAIL, algorithm = 'rsa-sha256' } = options;
    const claims = options.claims ?? { email, displayName: 'Ada Example' };
    const samlOptions = {
      issuer: this.entityId,
      key: this.keys.private,
      cert: this.keys.cert,
      signatureAlgorithm: algorithm,
      digestAlgorithm: algorithm === 'rsa-sha1' ? 'sha1' : 'sha256',
      audience: options.audience ?? `${this.hub}/auth/saml/metadata`,
      recipient: options.recipient ?? `${this.hub}/auth/saml/acs`,
      destination: options.destination ?? `${this.hub}/auth/saml/acs`,
      inResponseTo: options.inResponseTo,
      sessionIndex: options.sessionIndex ?? `_${randomUUID()}`,
      lifetimeInSeconds: options.seconds ?? 60,
      signAssertion: options.signAssertion ?? true,
      signResponse: options.signResponse ?? true,
      profileMapper: () => ({
        getClaims: () => claims,
        getNameIdentifier: () => ({ nameIdentifier: nameId, nameIdentifierFormat: nameIdFormat }),
      }),
    };
    return new Promise((resolve, reject) => {
      samlp.getSamlResponse(samlOptions, {}, (error, xml) => (error ? reject(error) : resolve(encode(xml))));
    });
  }

  logoutRequest(more: { nameId?: string; sessionIndex?: string; issueInstant?: string; issuer?: string } = {}): string {
    const { nameId = 'ada@hub.test', sessionIndex, issueInstant = new Date().toISOString() } = more;
    const index = sessionIndex ? `<samlp:SessionIndex>${sessionIndex}</samlp:SessionIndex>` : '';
    return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${issueInstant}" Destination="${this.hub}/auth/saml/slo"><saml:Issuer>${more.issuer ?? this.entityId}</saml:Issuer><saml:NameID Format="${EMAIL}">${nameId}</saml:NameID>${index}</samlp:LogoutRequest>`;
  }

  logoutResponse(inResponseTo: string, status = 'Success'): string {
    return `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${this.hub}/auth/saml/slo" InResponseTo="${inResponseTo}"><saml:Issuer>${this.entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status></samlp:LogoutResponse>`;
  }

  /** The query of a message by redirect, signed (SAML bindings 2.0, section 3.4.4.1). */
  redirect(kind: 'SAMLRequest' | 'SAMLResponse', xml: string, more: { relay?: string; hash?: 'sha256' | 'sha1' } = {}) {
    const { relay, hash = 'sha256' } = more;
    const algorithm =
      hash === 'sha1'
        ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
    const query = [
      `${kind}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
      ...(relay === undefined ? [] : [`RelayState=${encodeURIComponent(relay)}`]),
      `SigAlg=${encodeURIComponent(algorithm)}`,
    ].join('&');
    const signature = createSign(hash).update(query).sign(this.keys.private, 'base64');
    return `${query}&Signature=${encodeURIComponent(signature)}`;
  }
}

/** The AuthnRequest or LogoutRequest in an address that the hub redirected to. */
export function sentMessage(location: string, kind: 'SAMLRequest' | 'SAMLResponse' = 'SAMLRequest') {
  const url = new URL(location);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get(kind) ?? '', 'base64')).toString('utf8');
  return { url, xml, id: /\sID="([^"]+)"/.exec(xml)?.[1] ?? '' };
}
