import { createHash } from 'node:crypto';
import type { ReleaseKey } from '@warren/agent/packaging/sign';

/** https://jedisct1.github.io/minisign: a plain Ed25519 signature, and one over BLAKE2b's digest. */
const [KEY_ALGORITHM, SIGNATURE_ALGORITHM] = [Buffer.from('Ed'), Buffer.from('ED')];

type Signer = Pick<ReleaseKey, 'publicKey' | 'sign'>;

/** Eight bytes that name the key. */
const idOf = ({ publicKey }: Signer) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest().subarray(0, 8);

/** The release key's public half, as `minisign -p` reads it. */
export function minisignKey(key: Signer): string {
  const id = idOf(key);
  const bytes = Buffer.concat([KEY_ALGORITHM, id, Buffer.from(key.publicKey, 'base64')]);
  return `untrusted comment: minisign public key ${Buffer.from(id).reverse().toString('hex').toUpperCase()}\n${bytes.toString('base64')}\n`;
}

/** A signature as `minisign -V` reads it, with a comment that is signed too. */
export function minisignature(key: Signer, content: Uint8Array, comment: string): string {
  const hash = createHash('blake2b512').update(content).digest();
  const signature = Buffer.from(key.sign(hash), 'base64');
  const whole = key.sign(Buffer.concat([signature, Buffer.from(comment)]));
  return [
    'untrusted comment: signature by the release key of Warren',
    Buffer.concat([SIGNATURE_ALGORITHM, idOf(key), signature]).toString('base64'),
    `trusted comment: ${comment}`,
    whole,
    '',
  ].join('\n');
}
