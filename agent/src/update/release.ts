import { createPublicKey, verify } from 'node:crypto';
import { arch } from 'node:process';
import semver from 'semver';
import * as z from 'zod';

/** The format of a version in addresses and file names. */
export const versionText = z
  .string()
  .max(64, 'expected at most 64 characters')
  .refine((text) => semver.valid(text) === text, 'expected a version such as 1.2.3');

const PACKAGE_MAX = 512 * 1024 * 1024;

const packageSchema = z.object({
  os: z.string(),
  arch: z.string(),
  file: z.string().regex(/^[a-z\d][\w.-]{0,99}$/i, 'expected letters, digits, dots, dashes and underlines'),
  sha256: z.string().regex(/^[\da-f]{64}$/, 'expected 64 hexadecimal digits'),
  size: z.int().positive().max(PACKAGE_MAX),
});
const updateSchema = packageSchema.extend({ runtime: z.string().regex(/^[\da-f]{64}$/) });
const manifestSchema = z.object({
  version: versionText,
  packages: z.array(packageSchema).max(50),
  // Releases before 0.2 have none.
  updates: z.array(updateSchema).max(50).default([]),
});

/** One build of the agent; `size` in bytes. */
export type Package = z.infer<typeof packageSchema>;

/** A build without its runtime, for devices that have that runtime already (`runtimeDigest`). */
export type Update = z.infer<typeof updateSchema>;

/** The builds of a version for one processor. */
export interface Build {
  whole: Package;
  updates: readonly Update[];
}

/** The reason for not installing a version, in words for people. */
export class UpdateRefused extends Error {
  override name = 'UpdateRefused';
}

/** Input of the verification: the signed list of packages, and the accepted keys. */
export interface SignedManifest {
  manifest: Buffer;
  /** Base64. */
  signature: string;
  /** Raw Ed25519 public keys, base64: one of them must have signed it. */
  keys: readonly string[];
}

/**
 * Returns the packages for this processor in a list signed by a release key (RFC 8032), of exactly the requested version.
 * @throws UpdateRefused for a list with an invalid signature, another version, or no package for this processor
 */
export function buildOf(signed: SignedManifest, version: string): Build {
  if (!isSigned(signed)) throw new UpdateRefused(unknownKey(version, signed.keys));
  const { success, data } = manifestSchema.safeParse(parseJson(signed.manifest.toString()));
  if (!success) throw new UpdateRefused(`the list of packages of version ${version} can't be read`);
  // A signed list of an older version must not pass for a newer one.
  if (data.version !== version) throw new UpdateRefused(`the hub gave version ${data.version} for ${version}`);
  const isOwn = (one: Package) => one.os === 'linux' && one.arch === ownArch();
  const whole = data.packages.find(isOwn);
  if (!whole) throw new UpdateRefused(`version ${version} has no package for ${ownArch()}`);
  return { whole, updates: data.updates.filter(isOwn) };
}

/** @throws UpdateRefused when `version` is not newer than `running`: old versions have known holes */
export function refuseDowngrade(version: string, running: string): void {
  if (semver.gt(version, running)) return;
  throw new UpdateRefused(`version ${version} is older than ${running}, which runs: a downgrade is refused`);
}

/** A key's fingerprint for comparison: the hub shows no more than 300 characters. */
const SHOWN = 8;

/** A device that missed the release with the next key knows only the former one. */
const unknownKey = (version: string, keys: readonly string[]) =>
  `version ${version} is not signed by the release key of this device (${keys.map((key) => `${key.slice(0, SHOWN)}…`).join(' or ')}): ` +
  'first update it to a release that this key has signed and that brings the new key, or install the agent again';

function isSigned({ manifest, signature, keys }: SignedManifest): boolean {
  return keys.some((key) => hasSigned(key, manifest, Buffer.from(signature, 'base64')));
}

function hasSigned(key: string, manifest: Buffer, signature: Buffer): boolean {
  try {
    const x = Buffer.from(key, 'base64').toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, manifest, publicKey, signature);
  } catch {
    return false;
  }
}

/** As the packages are named. */
const ownArch = () => (arch === 'arm' ? 'armv7l' : arch);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
