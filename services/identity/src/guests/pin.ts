import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const BYTES = 32;
const derived = promisify<string, Buffer, number, Buffer>(scrypt);

/** Hashes a PIN with scrypt (RFC 7914) and a random salt: few digits would be found in a plain digest at once. */
export async function hashOfPin(pin: string): Promise<string> {
  const salt = randomBytes(BYTES);
  const hash = await derived(pin, salt, BYTES);
  return `${salt.toString('base64url')}:${hash.toString('base64url')}`;
}

/** Whether a PIN is the one of a hash. Compares in constant time. */
export async function isPin(pin: string, stored: string): Promise<boolean> {
  const [salt = '', hash = ''] = stored.split(':');
  const given = await derived(pin, Buffer.from(salt, 'base64url'), BYTES);
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Whether two hashes of secrets are the same. Compares in constant time. */
export function isSameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
