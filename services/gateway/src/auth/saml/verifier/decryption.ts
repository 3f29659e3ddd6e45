import { promisify } from 'node:util';
import xmlenc, { type DecryptOptions } from 'xml-encryption';
import { SignInRefused } from '../../refusal/sign-in.refused.ts';
import { NS, parseXml } from './xml.ts';

/** SHA-1 is safe in OAEP, where the hash only pads a key (RFC 8017, appendix B.1). */
const DIGESTS = ['http://www.w3.org/2000/09/xmldsig#sha1', `${NS.encryption}sha256`, `${NS.encryption}sha512`];

/** AES for content, RSA-OAEP for its key. RSA with PKCS #1 v1.5 is a padding oracle, and 3DES has too short blocks. */
const ACCEPTED = {
  EncryptionMethod: [
    `${NS.encryption}rsa-oaep-mgf1p`,
    `${NS.encryption11}rsa-oaep`,
    `${NS.encryption}aes128-cbc`,
    `${NS.encryption}aes256-cbc`,
    `${NS.encryption11}aes128-gcm`,
    `${NS.encryption11}aes256-gcm`,
  ],
  DigestMethod: DIGESTS,
  MGF: ['1', '224', '256', '384', '512'].map((bits) => `${NS.encryption11}mgf1sha${bits}`),
};

/**
 * Requires secure encryption algorithms. Matches elements by local name, as the library does.
 * @throws SignInRefused naming another algorithm
 */
export function requireAccepted(encrypted: Element): void {
  for (const [name, accepted] of Object.entries(ACCEPTED)) {
    const foreign = Array.from(encrypted.getElementsByTagNameNS('*', name))
      .map((element) => element.getAttribute('Algorithm') ?? '')
      .find((algorithm) => !accepted.includes(algorithm));
    if (foreign === undefined) continue;
    throw new SignInRefused(`${name}: ${JSON.stringify(foreign.slice(0, 100))} is not accepted`);
  }
}

const { decrypt } = xmlenc;

/** Decrypts by accepted algorithms only. AES-CBC is accepted: the content is signed, and Entra ID uses it. */
function decryptAccepted(xml: string, { key }: DecryptOptions, done: Parameters<typeof decrypt>[2]): void {
  try {
    requireAccepted(parseXml(xml));
  } catch (error) {
    return done(error as Error, '');
  }
  decrypt(xml, { key, disallowDecryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false }, done);
}

// node-saml has no option for algorithms, so the library's decryption is replaced, for logouts too.
Object.assign(xmlenc, { decrypt: decryptAccepted });

/** Decrypts an element. @param key private key, PEM */
export const open: (xml: string, options: { key: string }) => Promise<string> = promisify(decryptAccepted);
