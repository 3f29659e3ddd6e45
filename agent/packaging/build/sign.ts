import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workspace } from './places.ts';

/** An Ed25519 key that says which packages are ours; devices accept updates by it alone. */
export interface ReleaseKey {
  /** Raw public key, base64. */
  publicKey: string;
  /** Raw public keys, base64, that updates of these packages may be signed with: this one first. */
  trusted: readonly string[];
  /** Whether it is the key of this checkout. */
  throwaway: boolean;
  /** Signature over bytes, base64 (RFC 8032, no prehash). */
  sign(bytes: Uint8Array): string;
}

/** A key of this checkout, for trying out and for tests: lost with it. */
export const throwawayFile = join(workspace, '.warren/release-key.pem');

const PUBLIC_KEY = /^[A-Za-z\d+/]{43}=$/;

/**
 * The key in the PKCS #8 PEM file that `WARREN_RELEASE_KEY` names, and the public keys in `WARREN_OTHER_RELEASE_KEYS`.
 * @param throwaway use the key of this checkout if no file is named, and create it if it is missing
 * @throws Error that tells how to create a key, if there is none
 */
export async function releaseKey({ throwaway }: { throwaway: boolean }): Promise<ReleaseKey> {
  const given = process.env['WARREN_RELEASE_KEY'];
  if (!given && !throwaway) throw new Error(withoutKey());
  const file = given || throwawayFile;
  const key = privateKeyIn(
    file,
    given ? await readFile(given, 'utf8').catch(unreadable(given)) : await readOrMake(file),
  );
  const publicKey = rawPublicKey(key);
  const trusted = [...new Set([publicKey, ...otherKeys()])];
  return { publicKey, trusted, throwaway: !given, sign: (bytes) => sign(null, bytes, key).toString('base64') };
}

const withoutKey = () =>
  [
    'WARREN_RELEASE_KEY is not set: expected the file of the release key, which signs the packages of the agent.',
    'Devices accept no update that another key has signed, so make the key once and keep it:',
    '  make release-key',
    ...(existsSync(throwawayFile)
      ? [
          `${throwawayFile} has signed packages before: move it to a safe place, and name it, if devices were installed with it.`,
        ]
      : []),
    'To try things out with a key of this checkout: add THROWAWAY_KEY=1 to the command.',
  ].join('\n');

const unreadable = (file: string) => (error: NodeJS.ErrnoException) => {
  const expected = 'expected the file of a release key, as make release-key writes it';
  throw new Error(`WARREN_RELEASE_KEY is ${file}, which can't be read (${error.code}): ${expected}`);
};

function privateKeyIn(file: string, pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // Told below, without the content.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new Error(
    `${file} holds ${key ? `a key of type ${key.asymmetricKeyType}` : 'no private key'}: expected ed25519`,
  );
}

function otherKeys(): string[] {
  const keys = (process.env['WARREN_OTHER_RELEASE_KEYS'] ?? '').split(/[\s,]+/).filter(Boolean);
  const wrong = keys.find((key) => !PUBLIC_KEY.test(key));
  if (wrong === undefined) return keys;
  const expected = 'expected Ed25519 public keys, 32 bytes in base64, as make release-key writes them, with commas';
  throw new Error(`WARREN_OTHER_RELEASE_KEYS: ${expected} (came: ${wrong.slice(0, 60)})`);
}

/** A new private key, PKCS #8 as PEM. */
export const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

async function readOrMake(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  // Never over one that is there: another build may have made it in this moment.
  await writeFile(file, newKey(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(file, 'utf8');
}

/** The public half of a private key: raw, base64. */
export function rawPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x ?? '', 'base64url').toString('base64');
}
