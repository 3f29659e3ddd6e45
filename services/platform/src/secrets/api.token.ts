import { TOKEN_PREFIX } from '@warren/rules/tokens';
import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 238 random bits. */
const RANDOM_LENGTH = 40;
const CHECK_LENGTH = 6;
const TOKEN = new RegExp(`^${TOKEN_PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);
/** Of the prefix and the first random characters. */
const HINT_LENGTH = TOKEN_PREFIX.length + 4;

/**
 * Makes an API token: `wrn_`, 40 random characters, and their CRC-32 in 6 characters of base 62. The prefix and the checksum let secret
 * scanners find leaked tokens without asking the hub.
 */
export function newApiToken(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');
  return `${TOKEN_PREFIX}${random}${checksumOf(random)}`;
}

/** Whether a text has the form of an API token, and its checksum. */
export function isApiToken(text: string): boolean {
  const [, random = '', check] = TOKEN.exec(text) ?? [];
  return check !== undefined && checksumOf(random) === check;
}

/** The first characters of a token, by which people recognise it. */
export function hintOf(token: string): string {
  return token.slice(0, HINT_LENGTH);
}

function checksumOf(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let digit = 0; digit < CHECK_LENGTH; digit++) {
    text = `${DIGITS[rest % DIGITS.length]}${text}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}
