import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workspace } from './places.ts';

/** An Ed25519 key that says which packages are ours; devices keep its public half from their installation on. */
export interface ReleaseKey {
  /** Raw public key, base64. */
  publicKey: string;
  /** Signature over bytes, base64 (RFC 8032, no prehash). */
  sign(bytes: Uint8Array): string;
}

/**
 * The key in the PKCS #8 PEM file that `WARREN_RELEASE_KEY` names. Without that, the workspace's own key, made when it is
 * missing: whoever builds and runs a hub for themselves is the one who releases.
 */
export async function releaseKey(): Promise<ReleaseKey> {
  const given = process.env['WARREN_RELEASE_KEY'];
  const file = given ?? join(workspace, '.warren/release-key.pem');
  const pem = given ? await readFile(given, 'utf8') : await readOrMake(file);
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new Error(`${file} holds a key of type ${key.asymmetricKeyType}: expected ed25519`);
  }
  return { publicKey: rawPublicKey(key), sign: (bytes) => sign(null, bytes, key).toString('base64') };
}

async function readOrMake(file: string): Promise<string> {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await mkdir(dirname(file), { recursive: true });
  // Never over one that is there: another build may have made it in this moment.
  await writeFile(file, pem, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}

function rawPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}
