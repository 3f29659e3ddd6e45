import { createHash, randomBytes } from 'node:crypto';

/** A new secret: 256 random bits as base64url, 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a secret or a name, as hex: Redis stores only digests, so that its data opens nothing. */
export function hashOf(...parts: string[]): string {
  // Lengths keep ('ab', 'c') apart from ('a', 'bc').
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
