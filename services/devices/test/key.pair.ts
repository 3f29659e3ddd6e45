import { generateKeyPairSync, sign } from 'node:crypto';

/** A device's key pair: `raw` is the 32 bytes of the public key. */
export interface KeyPair {
  raw: Uint8Array<ArrayBuffer>;
  sign(text: string): Uint8Array<ArrayBuffer>;
}

export function newPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
  return { raw, sign: (text) => new Uint8Array(sign(null, Buffer.from(text), privateKey)) };
}
