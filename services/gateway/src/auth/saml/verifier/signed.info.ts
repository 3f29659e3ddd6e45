import { findAncestorNs, SignedXml } from 'xml-crypto';
import { verify, X509Certificate } from 'node:crypto';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import { isStrongSignature, type SignatureText } from './scan.ts';
import { children, NS, parseXml, textOf } from './xml.ts';

/** A signature that a known key made over its SignedInfo. node-saml checks that the digests match the message. */
export interface KnownSigner {
  /** PEM. */
  certificate: string;
}

/**
 * Verifies the signer before anything else parses the message: without a signature by a known key only the signature is parsed, so
 * unauthenticated messages cost little.
 * @param certificates PEM, from the provider's metadata
 * @throws SignInRefused with the reason: unsigned, another certificate, an older or newer one, a broken signature
 */
export function requireKnownSigner(signatures: readonly SignatureText[], certificates: readonly string[]): KnownSigner {
  if (signatures.length === 0) {
    throw new SignInRefused('signature: none; neither the message nor its assertion is signed', { kind: 'unsigned' });
  }
  const readings = signatures.map(read);
  for (const reading of readings) {
    const certificate = certificates.find((pem) => isMade(reading, pem));
    if (certificate) return { certificate };
  }
  throw unknownSigner(
    readings.map(({ certificate }) => certificate).find((came) => came !== undefined),
    certificates,
  );
}

interface Reading {
  /** SignedInfo in its canonical form. */
  signed: string;
  algorithm: string;
  value: string;
  /** The certificate in the signature. It is not trusted; it only explains a refusal. */
  certificate: X509Certificate | undefined;
}

const CANONICAL = new SignedXml().CanonicalizationAlgorithms;
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

/** Parses a signature alone, inside an element that declares the namespaces in scope. */
function read({ xml, namespaces }: SignatureText): Reading {
  const declared = Object.entries(namespaces)
    .filter(([prefix]) => prefix !== 'xml' && prefix !== 'xmlns')
    .map(
      ([prefix, uri]) => `${prefix ? `xmlns:${prefix}` : 'xmlns'}="${uri.replace(/[&<"]/g, (c) => ESCAPES[c] ?? '')}"`,
    );
  const root = parseXml(`<signed ${declared.join(' ')}>${xml.replace(/\r\n?/g, '\n')}</signed>`);
  const [signature] = children(root, NS.signature, 'Signature');
  const [info, more] = signature ? children(signature, NS.signature, 'SignedInfo') : [];
  if (!signature || !info || more)
    throw new SignInRefused('signature: expected one SignedInfo', { kind: 'unreadable' });
  const value = (of: Element, name: string) => children(of, NS.signature, name)[0];
  const method = value(info, 'CanonicalizationMethod')?.getAttribute('Algorithm') ?? '';
  if (!Object.hasOwn(CANONICAL, method) || method.endsWith('#enveloped-signature')) {
    throw new SignInRefused(`CanonicalizationMethod: ${JSON.stringify(method.slice(0, 100))} is not accepted`, {
      kind: 'algorithm',
    });
  }
  const ancestorNamespaces = findAncestorNs(root.ownerDocument, "//*[local-name()='SignedInfo']");
  return {
    signed: new SignedXml().getCanonXml([method as never], info, { ancestorNamespaces }),
    algorithm: value(info, 'SignatureMethod')?.getAttribute('Algorithm') ?? '',
    value: textOf(value(signature, 'SignatureValue')),
    certificate: certificateIn(signature),
  };
}

function certificateIn(signature: Element): X509Certificate | undefined {
  const [element] = Array.from(signature.getElementsByTagNameNS(NS.signature, 'X509Certificate'));
  if (!element) return undefined;
  try {
    return new X509Certificate(Buffer.from(textOf(element), 'base64'));
  } catch {
    return undefined;
  }
}

function isMade({ signed, algorithm, value }: Reading, certificate: string): boolean {
  if (!isStrongSignature(algorithm)) return false;
  try {
    return verify(algorithm.slice(-'sha256'.length), Buffer.from(signed), certificate, Buffer.from(value, 'base64'));
  } catch {
    return false;
  }
}

/** Builds a refusal that tells an administrator whether to update the hub or the provider. */
export function unknownSigner(came: X509Certificate | undefined, certificates: readonly string[]): SignInRefused {
  const known = certificates.map((pem) => new X509Certificate(pem));
  const details = {
    signatureCertificate: came ? described(came) : 'none in the message',
    metadataCertificates: known.map(described),
  };
  const refuse = (kind: 'altered' | 'certificate', reason: string) => new SignInRefused(reason, { kind, details });
  if (!came) return refuse('certificate', "signature: by none of the keys in the provider's metadata");
  if (known.some(({ fingerprint256 }) => fingerprint256 === came.fingerprint256)) {
    return refuse('altered', 'signature: broken; the certificate is the right one, the signed part was changed');
  }
  const twin = known.find(({ subject }) => subject === came.subject);
  if (!twin) {
    return refuse(
      'certificate',
      `signature: wrong certificate ${came.fingerprint256}; it is not in the provider's metadata`,
    );
  }
  const side = came.validFromDate > twin.validFromDate ? "the hub's metadata is" : "the provider's signing key is";
  return refuse('certificate', `signature: stale certificate; ${side} the older one (came: ${came.fingerprint256})`);
}

function described({ fingerprint256, subject, validFrom, validTo }: X509Certificate) {
  return { fingerprint256, subject: subject.slice(0, 200), validFrom, validTo };
}
