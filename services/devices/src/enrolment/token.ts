import { createHash, randomBytes } from 'node:crypto';

/** A new enrolment token: 256 random bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a token; 256 random bits need neither salt nor a slow hash. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
