import { ConfigError } from '@warren/platform/config/load';
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { ChainConfig } from '../config.ts';
import type { ChainKey } from './chain.ts';

/** What signs checkpoints, and what verifies them. */
export interface ChainKeys {
  own: ChainKey | undefined;
  /** Public keys, the former ones too, by their ids. */
  known: ReadonlyMap<string, KeyObject>;
}

export const CHAIN_KEYS = Symbol('ChainKeys');

/** @throws ConfigError for a key that is not Ed25519 */
export function readChainKeys({ AUDIT_KEY, AUDIT_FORMER_KEYS = '' }: ChainConfig): ChainKeys {
  const former = AUDIT_FORMER_KEYS.split(/[\s,]+/).filter(Boolean);
  const known = new Map(former.map((text) => named(publicKey(text))));
  if (!AUDIT_KEY) return { own: undefined, known };
  const key = privateKey(AUDIT_KEY);
  const [id, half] = named(createPublicKey(key));
  known.set(id, half);
  return { own: { id, key }, known };
}

function privateKey(text: string): KeyObject {
  return ed25519('AUDIT_KEY', 'expected an Ed25519 private key, PKCS #8 as PEM or base64', () =>
    createPrivateKey(
      text.includes('-----BEGIN') ? text : { key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' },
    ),
  );
}

function publicKey(text: string): KeyObject {
  return ed25519('AUDIT_FORMER_KEYS', 'expected Ed25519 public keys, base64 of SPKI, separated by commas', () =>
    createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }),
  );
}

function ed25519(variable: string, expected: string, read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // Reported below, without the value.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new ConfigError(`${variable}: ${expected} (came: a value not shown here)`);
}

/** A public key by its id: the first 12 bytes of the SHA-256 of its SubjectPublicKeyInfo, base64url. */
function named(key: KeyObject): [string, KeyObject] {
  const spki = key.export({ format: 'der', type: 'spki' });
  return [createHash('sha256').update(spki).digest().subarray(0, 12).toString('base64url'), key];
}
