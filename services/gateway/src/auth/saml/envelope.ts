import { SignInRefused } from './sign-in.refused.ts';
import { children, descendants, NS, parseXml, textOf } from './xml.ts';

/** What one may look at before any signature has been checked: enough to choose whose keys to check with. */
export interface Envelope {
  /** `Response`, `LogoutRequest` or `LogoutResponse`. */
  kind: string;
  issuer: string;
  destination: string;
  issueInstant: string;
}

/** Algorithms that still hold: SHA-1 is broken for signatures, and HMAC has no place where the verifier's key is public. */
const SIGNATURES = new Set(
  ['256', '384', '512'].map((bits) => `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${bits}`),
);
const DIGESTS = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/** Whether a signature algorithm is one that still holds. */
export function isStrongSignature(algorithm: string): boolean {
  return SIGNATURES.has(algorithm);
}

/**
 * Reads the outside of a SAML message.
 * @throws SignInRefused for what is no SAML message, or is signed with a weak algorithm
 */
export function readEnvelope(xml: string): Envelope {
  const root = parsed(xml);
  if (root.namespaceURI !== NS.protocol) throw new SignInRefused('no SAML message');
  requireStrong(root);
  const [assertion] = children(root, NS.assertion, 'Assertion');
  const [issuer] = [root, assertion].flatMap((at) => (at ? children(at, NS.assertion, 'Issuer') : []));
  return {
    kind: root.localName ?? '',
    issuer: textOf(issuer),
    destination: root.getAttribute('Destination') ?? '',
    issueInstant: root.getAttribute('IssueInstant') ?? '',
  };
}

/**
 * Holds every signature in a document to algorithms that still hold.
 * @throws SignInRefused naming the weak one
 */
export function requireStrong(root: Element): void {
  for (const [name, allowed] of [
    ['SignatureMethod', SIGNATURES],
    ['DigestMethod', DIGESTS],
  ] as const) {
    const weak = descendants(root, NS.signature, name)
      .filter((element) => !isPadding(element))
      .map((element) => element.getAttribute('Algorithm') ?? '')
      .find((algorithm) => !allowed.has(algorithm));
    if (weak !== undefined) throw new SignInRefused(`${name}: ${JSON.stringify(weak.slice(0, 100))} is not accepted`);
  }
}

/** The digest inside RSA-OAEP pads a key and signs nothing: SHA-1 is as good there as any (RFC 8017, appendix B.1). */
function isPadding(element: Element): boolean {
  const parent = element.parentNode as Element | null;
  return parent?.localName === 'EncryptionMethod' && parent.namespaceURI === NS.encryption;
}

function parsed(xml: string): Element {
  try {
    return parseXml(xml);
  } catch (cause) {
    throw new SignInRefused(cause instanceof Error ? cause.message : 'no XML', { cause });
  }
}

/**
 * A message that says where it should go must have come there.
 * @throws SignInRefused
 */
export function requireDestination({ destination }: Envelope, expected: string): void {
  if (destination && destination !== expected) {
    throw new SignInRefused(`Destination: expected ${expected} (came: ${JSON.stringify(destination.slice(0, 200))})`);
  }
}
