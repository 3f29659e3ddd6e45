import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { readIfThere, renameDurably, writeAtomically } from '../system/files.ts';

const CURRENT = 'key.pem';
/** Made by a rotation, and possibly accepted by the hub. */
const NEXT = 'key.next.pem';
/** Made to become a separate device, and possibly accepted by the hub. */
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

/** Reads the key of an unfinished rotation, or undefined. Throws like {@link readKey}. */
export function readNextKey(folder: string): Promise<DeviceKey | undefined> {
  return readKeyFile(join(folder, NEXT));
}

/** Reads the key of an unfinished separation, or undefined. Throws like {@link readKey}. */
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
    // The error below contains no part of the file.
  }
  throw new UserError(`${path} holds no Ed25519 private key; enrol this device again with an empty state folder`);
}

/** Makes a key on this device and stores it, readable by its owner alone. */
export function makeKey(folder: string): Promise<DeviceKey> {
  return makeKeyFile(join(folder, CURRENT));
}

/** Makes the next key, and stores it beside the device's own. */
export function makeNextKey(folder: string): Promise<DeviceKey> {
  return makeKeyFile(join(folder, NEXT));
}

/** Replaces the device's own key with the next one. After a power cut, either both exist or the next one alone. */
export function promoteNextKey(folder: string): Promise<void> {
  return renameDurably(join(folder, NEXT), join(folder, CURRENT));
}

/** Makes the key of a separate device, and stores it beside the device's own. */
export function makeSeparateKey(folder: string): Promise<DeviceKey> {
  return makeKeyFile(join(folder, SEPARATE));
}

/** Replaces the copied key with the key of a separate device, and removes the next key of the original device. */
export async function promoteSeparateKey(folder: string): Promise<void> {
  await rm(join(folder, NEXT), { force: true });
  await renameDurably(join(folder, SEPARATE), join(folder, CURRENT));
}

async function makeKeyFile(path: string): Promise<DeviceKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeAtomically(path, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  return withPublic(privateKey);
}

/** The text that a rotation signs with both keys, so that neither a stolen old key nor a copied public one suffices. */
export function rotationText(deviceId: string, old: DeviceKey, next: DeviceKey): string {
  return `warren-rotate:${deviceId}:${publicText(old)}:${publicText(next)}`;
}

/** The text that a machine signs with its current and its new key to become a separate device. */
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

/** Reads the keys of an unfinished rotation and separation. Throws like {@link readKey}. */
export async function readPendingKeys(folder: string): Promise<DeviceKey[]> {
  const keys = [await readNextKey(folder), await readSeparateKey(folder)];
  return keys.filter((key) => key !== undefined);
}

/** Makes one of the pending keys current, unless that has happened meanwhile. */
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
