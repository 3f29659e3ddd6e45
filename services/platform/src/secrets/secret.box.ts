import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 4;

interface Key {
  /** Stands before what it sealed. */
  id: Buffer;
  key: Buffer;
}

/**
 * Encrypts secrets at rest with AES-256-GCM (NIST SP 800-38D): id of the key, nonce, ciphertext, tag. Each is bound to its place, so that a
 * value moved to another row does not open there.
 */
export class SecretBox {
  private readonly keys: readonly Key[];

  /** @param secrets the first seals, each opens: two during rotation */
  constructor(secrets: readonly string[]) {
    this.keys = secrets.map(keyOf);
  }

  /** Whether there is a key. */
  get ready(): boolean {
    return this.keys.length > 0;
  }

  /** @param place what the value belongs to, such as a column and the id of its row */
  seal(place: string, text: string): Buffer {
    const [first] = this.keys;
    if (!first) throw new Error('There is no key to seal secrets with.');
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, first.key, nonce).setAAD(Buffer.from(place));
    return Buffer.concat([first.id, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** @throws Error if no key opens it there; its text has no part of the value */
  open(place: string, sealed: Buffer): string {
    const id = sealed.subarray(0, ID_BYTES);
    const found = this.keys.find((key) => key.id.equals(id));
    if (!found) throw new Error('A secret was sealed with a key that is not set.');
    const nonce = sealed.subarray(ID_BYTES, ID_BYTES + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, found.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(ID_BYTES + NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  /** Whether a value is sealed with another key than the first. */
  isOld(sealed: Buffer): boolean {
    return !this.keys[0]?.id.equals(sealed.subarray(0, ID_BYTES));
  }
}

/** A key from a text of 32 characters or more (HKDF, RFC 5869). */
function keyOf(secret: string): Key {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'warren secret box', KEY_BYTES));
  return { key, id: createHash('sha256').update(key).digest().subarray(0, ID_BYTES) };
}
