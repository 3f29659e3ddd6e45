import { randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const RANDOM_LENGTH = 6;
const MAX_NAME = 40;

/** A DNS label (RFC 1035, 2.3.1) from a device's name: `Büro Pi` becomes `buro-pi-k3f7xa`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const label =
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, MAX_NAME)
      .replace(/^-|-$/g, '') || 'device';
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${label}-${random}`;
}
