import type { SaxesTagNS } from 'saxes';
import { MESSAGE_LIMITS, scan } from './limits.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import { NS } from './xml.ts';

/** What is read of a message before its signature is verified: enough to choose the keys for that. */
export interface Outline {
  /** `Response`, `LogoutRequest`, `LogoutResponse`, or `Assertion` if decrypted. */
  kind: string;
  issuer: string;
  destination: string;
  issueInstant: string;
  inResponseTo: string;
  /** Absent in requests. */
  status: Status | undefined;
  /** Signatures that are direct children of the message or its assertion; others are ignored. */
  signatures: SignatureText[];
}

/** The status of an answer (SAML core 2.0, section 3.2.2). */
interface Status {
  /** Codes, outermost first; one per level. */
  codes: string[];
  message: string;
}

/** The source of a Signature element, and the namespaces in scope. */
export interface SignatureText {
  xml: string;
  namespaces: Record<string, string>;
}

/** Secure algorithms. SHA-1 is broken for signatures, and HMAC makes no sense where the verifier's key is public. */
const SIGNATURES = ['256', '384', '512'].map((bits) => `http://www.w3.org/2001/04/xmldsig-more#rsa-sha${bits}`);
const DIGESTS = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
];
const ALLOWED: Record<string, readonly string[]> = { SignatureMethod: SIGNATURES, DigestMethod: DIGESTS };

/** At most one of the message and one of its assertion. */
const MAX_SIGNATURES = 4;
/** Per signature. With transforms, a key name and a chain of certificates about 30 are usual. */
const MAX_SIGNATURE_ELEMENTS = 60;
const MAX_TEXT = 1_024;

/** Tells whether a signature algorithm is secure. */
export function isStrongSignature(algorithm: string): boolean {
  return SIGNATURES.includes(algorithm);
}

/**
 * Reads the outline of a SAML message within its limits.
 * @throws SignInRefused for another document, a too large one, or one signed with a weak algorithm
 */
export function readOutline(xml: string): Outline {
  const reader = new OutlineReader(xml);
  try {
    scan(xml, MESSAGE_LIMITS, reader);
  } catch (cause) {
    if (cause instanceof SignInRefused) throw cause;
    throw new SignInRefused(cause instanceof Error ? cause.message : 'no XML', { cause, kind: 'unreadable' });
  }
  return reader.outline;
}

class OutlineReader {
  readonly outline: Outline = {
    kind: '',
    issuer: '',
    destination: '',
    issueInstant: '',
    inResponseTo: '',
    status: undefined,
    signatures: [],
  };
  private readonly xml: string;
  private readonly path: SaxesTagNS[] = [];
  private words = '';
  private messageIssuer = '';
  private assertionIssuer = '';
  private signatures = 0;
  private signature: { start: number; depth: number; elements: number } | undefined;

  constructor(xml: string) {
    this.xml = xml;
  }

  open(tag: SaxesTagNS, start: number): void {
    if (this.path.length === 0) this.root(tag);
    requireStrong(tag, this.path.at(-1));
    this.path.push(tag);
    this.words = '';
    if (this.signature && ++this.signature.elements > MAX_SIGNATURE_ELEMENTS) {
      throw new SignInRefused('signature: too many elements', { kind: 'unreadable' });
    }
    if (is(tag, NS.signature, 'Signature')) this.openSignature(start);
    if (is(tag, NS.protocol, 'Status') && this.path.length === 2) this.openStatus();
    if (is(tag, NS.protocol, 'StatusCode') && this.inStatus()) this.statusCode(tag);
  }

  text(text: string): void {
    if (this.words.length < MAX_TEXT) this.words += text.slice(0, MAX_TEXT);
  }

  close(tag: SaxesTagNS, end: number): void {
    const depth = this.path.length;
    if (this.signature?.depth === depth) this.closeSignature(end);
    const text = this.words.trim();
    if (is(tag, NS.assertion, 'Issuer') && depth === 2) this.messageIssuer ||= text;
    if (is(tag, NS.assertion, 'Issuer') && depth === 3 && this.inAssertion()) this.assertionIssuer ||= text;
    if (is(tag, NS.protocol, 'StatusMessage') && depth === 3 && this.outline.status) this.outline.status.message = text;
    this.outline.issuer = this.messageIssuer || this.assertionIssuer;
    this.path.pop();
    this.words = '';
  }

  private root(tag: SaxesTagNS): void {
    const { outline } = this;
    if (tag.uri !== NS.protocol && !is(tag, NS.assertion, 'Assertion')) {
      throw new SignInRefused('no SAML message', { kind: 'unreadable' });
    }
    outline.kind = tag.local;
    outline.destination = valueOf(tag, 'Destination');
    outline.issueInstant = valueOf(tag, 'IssueInstant');
    outline.inResponseTo = valueOf(tag, 'InResponseTo');
  }

  private inAssertion(): boolean {
    const above = this.path[1];
    return above !== undefined && is(above, NS.assertion, 'Assertion');
  }

  private openStatus(): void {
    if (this.outline.status) throw new SignInRefused('Status: expected one, came several', { kind: 'unreadable' });
    this.outline.status = { codes: [], message: '' };
  }

  private inStatus(): boolean {
    const [, status, ...codes] = this.path;
    return (
      status !== undefined && is(status, NS.protocol, 'Status') && codes.every(({ local }) => local === 'StatusCode')
    );
  }

  private statusCode(tag: SaxesTagNS): void {
    const codes = this.outline.status?.codes ?? [];
    if (codes.length !== this.path.length - 3) {
      throw new SignInRefused('StatusCode: expected one, came several', { kind: 'unreadable' });
    }
    codes.push(valueOf(tag, 'Value'));
  }

  private openSignature(start: number): void {
    if (++this.signatures > MAX_SIGNATURES)
      throw new SignInRefused('signature: came too often', { kind: 'unreadable' });
    const depth = this.path.length;
    if (depth === 2 || (depth === 3 && this.inAssertion())) this.signature = { start, depth, elements: 0 };
  }

  private closeSignature(end: number): void {
    const { start = 0 } = this.signature ?? {};
    this.signature = undefined;
    const around = this.path.slice(0, -1).map(({ ns }) => ns);
    this.outline.signatures.push({ xml: this.xml.slice(start, end), namespaces: Object.assign({}, ...around) });
  }
}

/**
 * Requires secure algorithms of an element. SHA-1 is allowed as the digest of RSA-OAEP, where it only pads a key (RFC 8017,
 * appendix B.1).
 */
function requireStrong(tag: SaxesTagNS, parent: SaxesTagNS | undefined): void {
  const allowed = tag.uri === NS.signature && Object.hasOwn(ALLOWED, tag.local) ? ALLOWED[tag.local] : undefined;
  if (!allowed || (parent && is(parent, NS.encryption, 'EncryptionMethod'))) return;
  const algorithm = valueOf(tag, 'Algorithm');
  if (allowed.includes(algorithm)) return;
  throw new SignInRefused(`${tag.local}: ${JSON.stringify(algorithm.slice(0, 100))} is not accepted`, {
    kind: 'algorithm',
  });
}

function is(tag: SaxesTagNS, uri: string, local: string): boolean {
  return tag.uri === uri && tag.local === local;
}

function valueOf({ attributes }: SaxesTagNS, name: string): string {
  return (Object.hasOwn(attributes, name) ? attributes[name]?.value : undefined)?.slice(0, MAX_TEXT) ?? '';
}

/**
 * Requires that the Destination of a message, if it has one, is the URL it was sent to.
 * @throws SignInRefused
 */
export function requireDestination({ destination }: Outline, ...expected: string[]): void {
  if (!destination || expected.includes(destination)) return;
  throw new SignInRefused(
    `Destination: expected ${expected.join(' or ')} (came: ${JSON.stringify(destination.slice(0, 200))})`,
    {
      kind: 'address',
      details: { expectedDestination: expected, receivedDestination: destination },
    },
  );
}
