import { createPublicKey, verify } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { z } from 'zod';
import { releaseKeySchema } from '../config.ts';

const word = z.string().regex(/^[a-z\d][\w.-]{0,99}$/i, 'expected letters, digits, dots, dashes and underlines');

/** No release key has signed the manifest. */
export class UnsignedManifest extends Error {
  override message = 'has a manifest.json that the release key has not signed';
}

const packageSchema = z.object({
  os: word,
  arch: word,
  file: word,
  sha256: z.string().regex(/^[\da-f]{64}$/, 'expected 64 hexadecimal digits'),
  size: z.int().positive(),
});
/** One build of the agent. `size` is in bytes. */
export type AgentPackage = z.output<typeof packageSchema>;

/** An agent version in manifests and addresses (semver.org). */
export const agentVersionSchema = z
  .string()
  .max(64, 'expected at most 64 characters')
  .refine((text) => semver.valid(text) === text, 'expected a version such as 1.2.3');

const manifestSchema = z.object({
  version: agentVersionSchema,
  packages: z.array(packageSchema).min(1).max(50),
  updates: z.array(packageSchema).max(50).default([]),
});

/** The packages that one release has, and the key that says so. */
export interface Release {
  version: string;
  packages: readonly AgentPackage[];
  /** Packages without a runtime, for agents that have the same one already. */
  updates: readonly AgentPackage[];
  /** The key that has signed it: raw Ed25519 public key, base64. */
  releaseKey: string;
  /** Where its files are. */
  folder: string;
}

/** What stands beside the packages: their list as it was signed, the signature, and the key that it was made with. */
export const DOCUMENTS = ['manifest.json', 'manifest.json.sig', 'release-key.pub'];

/** The lists of packages in folders; one that was read counts until its file changes. */
export class SignedManifests {
  private readonly known = new Map<string, { modified: number; release: Release }>();

  /**
   * @param keys the release keys; without them, the one beside the list
   * @throws Error for a folder without a list, with one that can't be read, or (UnsignedManifest) one that no key has signed
   */
  async read(folder: string, keys: readonly string[] | undefined): Promise<Release> {
    const file = join(folder, 'manifest.json');
    const { mtimeMs: modified } = await stat(file);
    const known = this.known.get(folder);
    if (known?.modified === modified && (!keys || keys.includes(known.release.releaseKey))) return known.release;
    const [text, signature, candidates] = await Promise.all([
      readFile(file),
      readFile(`${file}.sig`, 'utf8'),
      keys ?? keysIn(join(folder, 'release-key.pub')),
    ]);
    const releaseKey = candidates.find((key) => isSigned(text, signature, key));
    if (releaseKey === undefined) throw new UnsignedManifest();
    const release = { ...manifestSchema.parse(JSON.parse(text.toString())), releaseKey, folder };
    this.known.set(folder, { modified, release });
    return release;
  }
}

/**
 * The keys in a file, a line for each.
 * @throws Error for what is no key
 */
export async function keysIn(file: string): Promise<string[]> {
  const lines = (await readFile(file, 'utf8')).split(/\s+/).filter(Boolean);
  return lines.map((line) => releaseKeySchema.parse(line));
}

/** Ed25519 over the manifest's bytes (RFC 8032). */
function isSigned(manifest: Buffer, signature: string, key: string): boolean {
  const x = Buffer.from(key, 'base64').toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, manifest, publicKey, Buffer.from(signature, 'base64'));
}
