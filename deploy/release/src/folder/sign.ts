import { createPublicKey } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReleaseKey } from '@warren/agent/packaging/sign';
import { minisignature, minisignKey } from './minisign.ts';
import { digestsIn, sumsOf } from './sums.ts';

/** The public half as `openssl pkeyutl -pubin` reads it. */
function pemOf({ publicKey }: ReleaseKey): string {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
}

/** Writes the checksums of all files in a folder, and their signatures by the release key. */
export async function signFolder(folder: string, version: string, key: ReleaseKey): Promise<void> {
  const sums = Buffer.from(sumsOf(await digestsIn(folder)));
  await writeFile(join(folder, 'SHA256SUMS'), sums);
  await writeFile(join(folder, 'SHA256SUMS.sig'), Buffer.from(key.sign(sums), 'base64'));
  await writeFile(join(folder, 'SHA256SUMS.minisig'), minisignature(key, sums, `warren ${version}`));
  await writeFile(join(folder, 'release-key.pem.pub'), pemOf(key));
  await writeFile(join(folder, 'release-key.minisign.pub'), minisignKey(key));
}
