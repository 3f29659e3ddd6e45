import { SignedXml } from 'xml-crypto';
import type { Keys } from './keys.ts';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

export const decoded = (base64: string) => Buffer.from(base64, 'base64').toString('utf8');
export const encoded = (xml: string) => Buffer.from(xml, 'utf8').toString('base64');

/** An answer without any signature. */
export function unsigned(xml: string): string {
  return xml.replaceAll(/<ds:Signature[\s>][\s\S]*?<\/ds:Signature>/g, '');
}

/** Signs a changed answer again, assertion first, as its provider would have. */
export function signed(xml: string, keys: Keys): string {
  const assertion = signElement(unsigned(xml), 'Assertion', keys);
  return signElement(assertion, 'Response', keys);
}

function signElement(xml: string, name: string, keys: Keys): string {
  const path = `//*[local-name(.)='${name}']`;
  const signer = new SignedXml({
    privateKey: keys.key,
    publicCert: keys.cert,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signer.addReference({
    xpath: path,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
  });
  const at = { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' as const };
  signer.computeSignature(xml, { location: at, prefix: 'ds' });
  return signer.getSignedXml();
}
