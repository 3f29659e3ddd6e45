import { createHash, randomBytes } from 'node:crypto';

/** A new token for the link of an invitation: 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a token: its SHA-256. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
