import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Creates a password. */
const random = () => randomBytes(18).toString('base64url');

/** An Ed25519 private key: PKCS #8, base64. */
export const signingKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

/** Creates a key that seals sessions. */
export const sealKey = () => randomBytes(32).toString('hex');

/** The public half of a {@link signingKey}: SubjectPublicKeyInfo, base64. */
export function publicHalf(key: string): string {
  const secret = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  return createPublicKey(secret).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** Returns a secret per name, created at the first start and stored in a file that only its owner can read. */
export async function keptSecrets(
  file: string,
  names: readonly string[],
  make: () => string = random,
): Promise<Record<string, string>> {
  const kept = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, string>;
  const missing = names.filter((name) => !kept[name]);
  if (!missing.length) return kept;
  for (const name of missing) kept[name] = make();
  await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return kept;
}
