import { createHash, createPrivateKey, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { CallerConfig } from '../config/common.ts';
import { ConfigError } from '../config/load.ts';
import { SERVICE_NAMES } from '../nats/calls.ts';

/** The key that a process signs its calls with. */
export interface SigningKey {
  /** What {@link keyId} makes of its public half. */
  id: string;
  key: KeyObject;
}

/** A key that a service may sign with. */
interface KnownKey {
  service: string;
  key: KeyObject;
}

/** What a process signs its calls with, and whom it answers. */
export interface CallerKeys {
  /** Without it calls go out unsigned. */
  own: SigningKey | undefined;
  /** By key id. Undefined: signatures are not looked at. */
  known: ReadonlyMap<string, KnownKey> | undefined;
  /** Whether a call without a signature is answered all the same: while services of 0.1.0 still run. */
  acceptUnsigned: boolean;
}

/** Injects the {@link CallerKeys} of the process. */
export const CALLER_KEYS = Symbol('CallerKeys');

const PUBLIC = `expected name=key for each service, such as gateway=MCowBQYDK2VwAyEA…, separated by commas or spaces`;

/**
 * Reads the keys of a process.
 * @param name the process's service
 * @throws ConfigError for a key that is not Ed25519, and for one that the others would refuse
 */
export function readCallerKeys(name: string, config: CallerConfig): CallerKeys {
  const own = config.CALLER_KEY ? signingKey(config.CALLER_KEY) : undefined;
  const known = config.CALLER_KEYS ? knownKeys(config.CALLER_KEYS) : undefined;
  if (known && known.get(own?.id ?? '')?.service !== name) {
    throw new ConfigError(`CALLER_KEYS: expected the public half of CALLER_KEY as a key of ${name}`);
  }
  return { own, known, acceptUnsigned: config.UNSIGNED_CALLS === 'accept' };
}

function signingKey(text: string): SigningKey {
  const pem = text.includes('-----BEGIN') ? text : undefined;
  const key = ed25519('CALLER_KEY', 'expected an Ed25519 private key, PKCS #8 as PEM or base64', () =>
    createPrivateKey(pem ?? { key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' }),
  );
  return { id: keyId(createPublicKey(key)), key };
}

function knownKeys(text: string): Map<string, KnownKey> {
  const known = new Map<string, KnownKey>();
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, service = '', encoded = ''] = /^([a-z]+)=(.+)$/.exec(entry) ?? [];
    if (!SERVICE_NAMES.some((name) => name === service)) throw new ConfigError(`CALLER_KEYS: ${PUBLIC}`);
    const key = ed25519('CALLER_KEYS', PUBLIC, () => publicKey(Buffer.from(encoded, 'base64')));
    known.set(keyId(key), { service, key });
  }
  return known;
}

/** From a SubjectPublicKeyInfo or, as charts made by their templates, an X.509 certificate; both as DER (RFC 5280, 4.1). */
function publicKey(der: Buffer): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return new X509Certificate(der).publicKey;
  }
}

function ed25519(variable: string, expected: string, read: () => KeyObject): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = read();
  } catch {
    // Said below, without the value.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new ConfigError(`${variable}: ${expected} (came: a value not shown here)`);
  return key;
}

/** Names a public key: the first 12 bytes of the SHA-256 of its SubjectPublicKeyInfo, base64url. */
function keyId(key: KeyObject): string {
  const spki = key.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(spki).digest().subarray(0, 12).toString('base64url');
}
