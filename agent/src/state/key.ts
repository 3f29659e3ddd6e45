import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { readIfThere, renameDurably, writeAtomically } from '../system/files.ts';

const CURRENT = 'key.pem';
/** Made by a rotation, and perhaps the hub's already. */
const NEXT = 'key.next.pem';
/** Made to become a separate device, and perhaps the hub's already. */
const SEPARATE = 'key.separate.pem';

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
export function readKey(folder: string): Promise<DeviceKey | undefined> {
  return readKeyFile(join(folder, CURRENT));
}

/** Reads the key that a rotation has made and not put in place yet, or undefined. Throws as {@link readKey}. */
export function readNextKey(folder: string): Promise<DeviceKey | undefined> {
  return readKeyFile(join(folder, NEXT));
}

/** Reads the key that this machine has made to become a separate device, or undefined. Throws as {@link readKey}. */
export function readSeparateKey(folder: string): Promise<DeviceKey | undefined> {
  return readKeyFile(join(folder, SEPARATE));
}

async function readKeyFile(path: string): Promise<DeviceKey | undefined> {
  const pem = await readIfThere(path);
  if (pem === undefined) return undefined;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return withPublic(key);
  } catch {
    // Said below, without any part of the file.
  }
  throw new UserError(`${path} holds no Ed25519 private key; enrol this device again with an empty state folder`);
}

/** Makes a key on this device and stores it, readable by its owner alone. */
export function makeKey(folder: string): Promise<DeviceKey> {
  return makeKeyFile(join(folder, CURRENT));
}

/** Makes the key that is to come after the device's own, and stores it beside that. */
export function makeNextKey(folder: string): Promise<DeviceKey> {
  return makeKeyFile(join(folder, NEXT));
}

/** Puts the next key in the place of the device's own, which is gone then. In a power cut either both are there, or the next alone. */
export function promoteNextKey(folder: string): Promise<void> {
  return renameDurably(join(folder, NEXT), join(folder, CURRENT));
}

/** Makes the key with which this machine becomes a separate device, and stores it beside the device's own. */
export function makeSeparateKey(folder: string): Promise<DeviceKey> {
  return makeKeyFile(join(folder, SEPARATE));
}

/** Puts the key of a separate device in the place of the one that it was copied with, and removes the next one of that device. */
export async function promoteSeparateKey(folder: string): Promise<void> {
  await rm(join(folder, NEXT), { force: true });
  await renameDurably(join(folder, SEPARATE), join(folder, CURRENT));
}

async function makeKeyFile(path: string): Promise<DeviceKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeAtomically(path, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  return withPublic(privateKey);
}

/** What a rotation signs with both keys, so that neither a stolen old key nor a copied public one changes anything. */
export function rotationText(deviceId: string, old: DeviceKey, next: DeviceKey): string {
  return `warren-rotate:${deviceId}:${publicText(old)}:${publicText(next)}`;
}

/** What a machine signs with the key that it has and its new one to become a separate device. */
export const separationText = (deviceId: string, next: DeviceKey): string =>
  `warren-separate:${deviceId}:${publicText(next)}`;

/** Ed25519 signature over UTF-8 text, base64url. */
export function signText(key: DeviceKey, text: string): string {
  return sign(null, Buffer.from(text), key.private).toString('base64url');
}

/** The public half, base64url. */
export function publicText(key: DeviceKey): string {
  return Buffer.from(key.public).toString('base64url');
}

/** Reads the keys that a rotation and a separation have made and not put in place. Throws as {@link readKey}. */
export async function readPendingKeys(folder: string): Promise<DeviceKey[]> {
  const keys = [await readNextKey(folder), await readSeparateKey(folder)];
  return keys.filter((key) => key !== undefined);
}

/** Puts one of the pending keys in place, unless that was done meanwhile. */
export async function promotePendingKey(folder: string, key: DeviceKey): Promise<void> {
  const [next, own] = [await readNextKey(folder), await readSeparateKey(folder)];
  if (own && isSameKey(own, key)) return promoteSeparateKey(folder);
  if (next && isSameKey(next, key)) return promoteNextKey(folder);
}

/** Whether two keys have the same public half. */
export const isSameKey = (one: DeviceKey, other: DeviceKey): boolean => publicText(one) === publicText(other);

function withPublic(key: KeyObject): DeviceKey {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new UserError('the device key has no public half');
  return { private: key, public: Buffer.from(x, 'base64url') };
}
