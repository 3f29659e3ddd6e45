import { cmac, ctr } from '@noble/ciphers/aes.js';
import { equalBytes } from '@noble/ciphers/utils.js';

const BLOCK = 16;
/** The size of the tag that each message gains. */
export const TAG_BYTES = 16;

/** The three inputs of a MAC (Bellare, Rogaway, Wagner: "The EAX mode of operation"). */
const NONCE = 0;
const HEADER = 1;
const TEXT = 2;

/** AES in EAX mode, from a library's counter mode and CMAC. WebCrypto lacks EAX, and is asynchronous for each message. */
export class Eax {
  constructor(private readonly key: Uint8Array) {}

  /** The encrypted text, followed by its tag. */
  seal(nonce: Uint8Array, header: Uint8Array, text: Uint8Array): Uint8Array {
    const start = this.mac(NONCE, nonce);
    const sealed = new Uint8Array(text.length + TAG_BYTES);
    sealed.set(ctr(this.key, start).encrypt(text));
    sealed.set(this.tag(start, header, sealed.subarray(0, text.length)), text.length);
    return sealed;
  }

  /** The text; null when the tag does not match. */
  open(nonce: Uint8Array, header: Uint8Array, sealed: Uint8Array): Uint8Array | null {
    if (sealed.length < TAG_BYTES) return null;
    const start = this.mac(NONCE, nonce);
    const text = sealed.subarray(0, -TAG_BYTES);
    if (!equalBytes(this.tag(start, header, text), sealed.subarray(-TAG_BYTES))) return null;
    return ctr(this.key, start).decrypt(text);
  }

  private tag(start: Uint8Array, header: Uint8Array, text: Uint8Array): Uint8Array {
    const of = [this.mac(HEADER, header), this.mac(TEXT, text)];
    return start.map((byte, at) => of.reduce((all, mac) => all ^ (mac[at] ?? 0), byte));
  }

  private mac(input: number, bytes: Uint8Array): Uint8Array {
    const first = new Uint8Array(BLOCK);
    first[BLOCK - 1] = input;
    return cmac.create(this.key).update(first).update(bytes).digest();
  }
}
