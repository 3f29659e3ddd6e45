import { open, requireAccepted } from './decryption.ts';
import { requireStrong } from './envelope.ts';
import { SignInRefused } from './sign-in.refused.ts';
import { children, NS, parseXml, serialised } from './xml.ts';

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
  requireAccepted(encrypted);
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
