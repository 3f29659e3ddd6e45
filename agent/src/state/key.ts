import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { readIfThere, writeAtomically } from '../system/files.ts';

/** The device's own Ed25519 key (RFC 8032). The private half never leaves the state folder. */
export interface DeviceKey {
  readonly private: KeyObject;
  /** The public half: 32 bytes. */
  readonly public: Uint8Array;
}

/**
 * Reads the device's key, or undefined before the first enrolment.
 * @throws UserError when the file is there but holds no Ed25519 key
 */
export async function readKey(folder: string): Promise<DeviceKey | undefined> {
  const path = join(folder, 'key.pem');
  const pem = await readIfThere(path);
  if (pem === undefined) return undefined;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return withPublic(key);
  } catch {
    // Said below, without any part of the file.
  }
  throw new UserError(`${path} holds no Ed25519 private key; enrol this device anew with an empty state folder`);
}

/** Makes a key on this device and stores it, readable by its owner alone. */
export async function makeKey(folder: string): Promise<DeviceKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeAtomically(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  return withPublic(privateKey);
}

/** Signature over the UTF-8 text `warren-enrol:` + token: proof that whoever enrols holds the private key. */
export function proveKey(key: DeviceKey, token: string): Uint8Array {
  return sign(null, Buffer.from(`warren-enrol:${token}`), key.private);
}

function withPublic(key: KeyObject): DeviceKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new UserError('the device key has no public half');
  return { private: key, public: Buffer.from(x, 'base64url') };
}
