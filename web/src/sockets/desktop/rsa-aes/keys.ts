import { PKCS1_KEM } from 'micro-rsa-dsa-dh/rsa.js';
import { desktop as text } from '../../../lib/messages/desktop.ts';
import { RsaAesError } from './types.ts';

const [SHORTEST_BITS, LONGEST_BITS] = [1_024, 8_192];
/** noVNC's limit too; longer keys fail on old servers. */
const OWN_BITS = 2_048;
/** FIPS 186-5 allows no larger exponents, and a larger one would only cost CPU. */
const EXPONENT_BYTES = 32;
const LENGTH_BYTES = 4;

/** A public key in wire format: its length in bits, the modulus and the exponent, both as long as the modulus. */
export interface PublicKey {
  wire: Uint8Array<ArrayBuffer>;
  n: bigint;
  e: bigint;
  /** The length in bytes of the modulus, and of all that is encrypted with it. */
  size: number;
}

export interface OwnKey extends PublicKey {
  d: bigint;
}

/** Parses the server's key. */
export async function readKey(take: (size: number) => Promise<Uint8Array>): Promise<PublicKey> {
  const length = await take(LENGTH_BYTES);
  const bits = new DataView(length.buffer, length.byteOffset).getUint32(0);
  if (bits < SHORTEST_BITS || bits > LONGEST_BITS) throw new RsaAesError(text.rsaAes.keyLength(bits));
  const size = Math.ceil(bits / 8);
  const numbers = await take(2 * size);
  const [modulus, exponent] = [numbers.subarray(0, size), numbers.subarray(size)];
  const [n, e] = [numberOf(modulus), numberOf(exponent)];
  const large = exponent.subarray(0, -EXPONENT_BYTES).some((byte) => byte !== 0);
  if (modulus[0] === 0 || !odd(n) || large || !odd(e) || e < 3n) throw new RsaAesError(text.rsaAes.badKey);
  return { wire: wireOf(bits, modulus, exponent), n, e, size };
}

/** Generates a key for one connection. */
export async function makeKey(): Promise<OwnKey> {
  // Of the browser's key types, the one that exports an RSA key's parts; its declared use does not matter here.
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256', modulusLength: OWN_BITS };
  const publicExponent = new Uint8Array([1, 0, 1]);
  const pair = await crypto.subtle.generateKey({ ...algorithm, publicExponent }, true, ['encrypt', 'decrypt']);
  const { n, e, d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const size = OWN_BITS / 8;
  const [modulus, exponent] = [padded(fromBase64url(n), size), padded(fromBase64url(e), size)];
  return {
    wire: wireOf(OWN_BITS, modulus, exponent),
    n: numberOf(modulus),
    e: numberOf(exponent),
    d: numberOf(fromBase64url(d)),
    size,
  };
}

export function encryptFor({ n, e }: PublicKey, bytes: Uint8Array): Uint8Array {
  return PKCS1_KEM.encrypt({ n, e }, bytes);
}

/** Its timing reveals only a key that is used for this one message. */
export function decryptBy({ n, d }: OwnKey, bytes: Uint8Array): Uint8Array {
  try {
    return PKCS1_KEM.decrypt({ n, d }, bytes);
  } catch {
    throw new RsaAesError(text.rsaAes.random);
  }
}

function wireOf(bits: number, modulus: Uint8Array, exponent: Uint8Array): Uint8Array<ArrayBuffer> {
  const wire = new Uint8Array(LENGTH_BYTES + modulus.length + exponent.length);
  new DataView(wire.buffer).setUint32(0, bits);
  wire.set(modulus, LENGTH_BYTES);
  wire.set(exponent, LENGTH_BYTES + modulus.length);
  return wire;
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x0${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`);
}

function odd(number: bigint): boolean {
  return (number & 1n) === 1n;
}

function fromBase64url(value = ''): Uint8Array {
  return Uint8Array.from(atob(value.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function padded(bytes: Uint8Array, size: number): Uint8Array {
  const out = new Uint8Array(size);
  out.set(bytes, size - bytes.length);
  return out;
}
