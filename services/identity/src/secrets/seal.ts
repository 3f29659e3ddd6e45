import { Inject, Injectable } from '@nestjs/common';
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SealOptions {
  /** The first key seals, each opens: two during rotation. Without keys nothing is sealed. */
  keys: readonly string[];
  /** Whether unsealed values are accepted: those from before there was a key. */
  acceptUnsealed: boolean;
}
export const SEAL_OPTIONS = Symbol('SealOptions');

const SEALED = /,"seal":"([\w-]{43})"\}$/;

/**
 * A MAC on values in Redis: a value that another process wrote, or moved to another key, counts as absent. It is a property of the JSON
 * object, which versions without seals ignore.
 */
@Injectable()
export class Seal {
  constructor(@Inject(SEAL_OPTIONS) private readonly options: SealOptions) {}

  /** @param text a non-empty JSON object to store under `key` */
  close(key: string, text: string): string {
    const [secret] = this.options.keys;
    return secret === undefined
      ? text
      : `${text.slice(0, -1)},"seal":"${mac(secret, key, text).toString('base64url')}"}`;
  }

  /** The value that was sealed for `key`; null for anything else, as if it were absent. */
  open(key: string, text: string | null): string | null {
    if (text === null) return null;
    const [, seal] = SEALED.exec(text) ?? [];
    const { keys, acceptUnsealed } = this.options;
    const plain = seal === undefined ? text : text.replace(SEALED, '}');
    if (keys.length === 0) return plain;
    if (seal === undefined) return acceptUnsealed ? plain : null;
    const came = Buffer.from(seal, 'base64url');
    return keys.some((secret) => timingSafeEqual(mac(secret, key, plain), came)) ? plain : null;
  }
}

/** HMAC-SHA256 (RFC 2104) over the key and the text; no key holds a line break. */
function mac(secret: string, key: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`${key}\n${text}`).digest();
}
