import { promisify } from 'node:util';
import { decrypt } from 'xml-encryption';
import { requireStrong } from './envelope.ts';
import { SignInRefused } from './sign-in.refused.ts';
import { children, descendants, NS, parseXml, serialised } from './xml.ts';

const open = promisify(decrypt);

/** Content under AES; the key by RSA-OAEP. RSA with PKCS #1 v1.5 tells whoever asks often enough, and 3DES is too short. */
const ACCEPTED = new Set([
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
]);

/**
 * Finds the key that an answer's assertion is encrypted for, and looks inside: what is signed in there must be signed by an
 * algorithm that still holds, which nobody can see from outside.
 * @param xml a SAML Response
 * @param keys private keys, PEM
 * @returns the key; nothing when the assertion is not encrypted
 * @throws SignInRefused for more than one, an algorithm that is not accepted, or one that no key opens
 */
export async function decryptionKey(xml: string, keys: readonly string[]): Promise<string | undefined> {
  const [encrypted, more] = children(parseXml(xml), NS.assertion, 'EncryptedAssertion');
  if (!encrypted) return undefined;
  if (more) throw new SignInRefused('assertion: expected one, came several');
  if (keys.length === 0)
    throw new SignInRefused('assertion: it is encrypted, and the hub has no SAML_DECRYPTION_KEY_FILE');
  const algorithms = descendants(encrypted, NS.encryption, 'EncryptionMethod').map(
    (method) => method.getAttribute('Algorithm') ?? '',
  );
  const foreign = algorithms.find((algorithm) => !ACCEPTED.has(algorithm));
  if (foreign !== undefined) {
    throw new SignInRefused(`EncryptionMethod: ${JSON.stringify(foreign.slice(0, 100))} is not accepted`);
  }
  const text = serialised(encrypted);
  for (const key of keys) {
    const inside = await open(text, { key }).catch(() => undefined);
    const root = inside === undefined ? undefined : assertionIn(inside);
    if (!root) continue;
    requireStrong(root);
    return key;
  }
  throw new SignInRefused('assertion: it is encrypted for a key that the hub does not have');
}

/** With a wrong key what comes out is nothing, or noise. */
function assertionIn(inside: string): Element | undefined {
  try {
    const root = parseXml(inside);
    return root.namespaceURI === NS.assertion && root.localName === 'Assertion' ? root : undefined;
  } catch {
    return undefined;
  }
}
