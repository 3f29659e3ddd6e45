import { X509Certificate } from 'node:crypto';
import { METADATA_LIMITS, scan } from './limits.ts';
import { BINDING_REDIRECT, children, descendants, NS, parseXml, textOf } from './xml.ts';

const MIN_RSA_BITS = 2048;

/** The metadata of an identity provider that sign-in needs (SAML metadata 2.0, section 2.4.3). */
export interface IdpMetadata {
  entityId: string;
  /** URL for AuthnRequests by redirect. */
  signInUrl: string;
  /** URL for LogoutRequests by redirect; not every provider has one. */
  logoutUrl: string | undefined;
  /** URL for answers to the provider's LogoutRequests. */
  logoutAnswerUrl: string | undefined;
  /** PEM; any of them may have signed an answer. */
  certificates: string[];
  /** Whether the provider requires signed AuthnRequests. */
  wantsSignedRequests: boolean;
  validUntil: Date | undefined;
}

/**
 * Reads the metadata of one identity provider.
 * @throws Error naming what is missing or wrong
 */
export function parseMetadata(xml: string): IdpMetadata {
  scan(xml, METADATA_LIMITS);
  const root = parseXml(xml);
  const entity = only(
    root.localName === 'EntityDescriptor' ? [root] : descendants(root, NS.metadata, 'EntityDescriptor').filter(isIdp),
    'EntityDescriptor of an identity provider',
  );
  const idp = only(children(entity, NS.metadata, 'IDPSSODescriptor'), 'IDPSSODescriptor');
  const entityId = entity.getAttribute('entityID') ?? '';
  if (!entityId) throw new Error('entityID: missing');
  const logout = endpoint(idp, 'SingleLogoutService');
  const signIn = endpoint(idp, 'SingleSignOnService');
  if (!signIn) throw new Error('SingleSignOnService: expected one with the HTTP-Redirect binding');
  const validUntil = [root, entity, idp].map((element) => element.getAttribute('validUntil')).find(Boolean);
  return {
    entityId,
    signInUrl: signIn.location,
    logoutUrl: logout?.location,
    logoutAnswerUrl: logout?.responseLocation,
    certificates: certificates(idp),
    wantsSignedRequests: /^(true|1)$/.test(idp.getAttribute('WantAuthnRequestsSigned') ?? ''),
    validUntil: validUntil ? asDate(validUntil) : undefined,
  };
}

function isIdp(entity: Element): boolean {
  return children(entity, NS.metadata, 'IDPSSODescriptor').length > 0;
}

function only(elements: Element[], what: string): Element {
  const [element] = elements;
  if (element && elements.length === 1) return element;
  throw new Error(`expected one ${what} (came: ${elements.length})`);
}

function endpoint(idp: Element, name: string): { location: string; responseLocation: string } | undefined {
  const service = children(idp, NS.metadata, name).find((found) => found.getAttribute('Binding') === BINDING_REDIRECT);
  if (!service) return undefined;
  const location = address(name, service.getAttribute('Location') ?? '');
  const answers = service.getAttribute('ResponseLocation');
  return { location, responseLocation: answers ? address(name, answers) : location };
}

function address(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return text;
  throw new Error(`${name}: expected an http(s) address (came: ${JSON.stringify(text)})`);
}

function certificates(idp: Element): string[] {
  const keys = children(idp, NS.metadata, 'KeyDescriptor').filter((key) => key.getAttribute('use') !== 'encryption');
  const found = keys.flatMap((key) => descendants(key, NS.signature, 'X509Certificate')).map(asPem);
  if (found.length === 0) {
    const bare = keys.some((key) => descendants(key, NS.signature, 'KeyValue').length > 0);
    throw new Error(`KeyDescriptor: expected a signing certificate (came: ${bare ? 'a public key alone' : 'none'})`);
  }
  return [...new Set(found)];
}

function asPem(element: Element): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(textOf(element), 'base64'));
  } catch (cause) {
    throw new Error('X509Certificate: not readable', { cause });
  }
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (asymmetricKeyType !== 'rsa' || bits < MIN_RSA_BITS) {
    throw new Error(
      `X509Certificate: expected an RSA key of ${MIN_RSA_BITS} bits or more (came: ${asymmetricKeyType} ${bits})`,
    );
  }
  return certificate.toString();
}

function asDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error(`validUntil: expected a time (came: ${JSON.stringify(text)})`);
  return date;
}
