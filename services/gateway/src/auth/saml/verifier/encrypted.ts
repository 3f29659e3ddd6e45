import { open, requireAccepted } from './decryption.ts';
import { readOutline, type Outline } from './scan.ts';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import { children, NS, parseXml, serialised } from './xml.ts';

/** A decrypted assertion. */
export interface DecryptedAssertion {
  /** The private key that decrypts it, PEM. */
  key: string;
  outline: Outline;
}

/**
 * Decrypts an assertion, and reads its outline within the limits of the message.
 * @param xml a SAML Response, within its limits
 * @param keys private keys, PEM
 * @returns undefined if the assertion is not encrypted
 * @throws SignInRefused for more than one, a refused algorithm, or if no key decrypts it
 */
export async function decryptedAssertion(
  xml: string,
  keys: readonly string[],
): Promise<DecryptedAssertion | undefined> {
  if (!xml.includes('EncryptedAssertion')) return undefined;
  const [encrypted, more] = children(parseXml(xml), NS.assertion, 'EncryptedAssertion');
  if (!encrypted) return undefined;
  if (more) throw new SignInRefused('assertion: expected one, came several');
  if (keys.length === 0)
    throw new SignInRefused('assertion: it is encrypted, and the hub has no SAML_DECRYPTION_KEY_FILE');
  requireAccepted(encrypted);
  const text = serialised(encrypted);
  for (const key of keys) {
    const inside = await open(text, { key }).catch(() => undefined);
    if (inside === undefined || !isAssertion(inside)) continue;
    return { key, outline: readOutline(inside) };
  }
  throw new SignInRefused('assertion: it is encrypted for a key that the hub does not have');
}

/** A wrong key yields nothing, or noise. */
function isAssertion(inside: string): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<([\w.-]+:)?Assertion[\s>]/.test(inside);
}
