import { createPublicKey, verify } from 'node:crypto';

/** Length in bytes of an Ed25519 public key and of a signature (RFC 8032, 5.1). */
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/**
 * Whether the one who enrols holds the private key: the proof is a signature over `warren-enrol:` and the token, so it is good
 * for that token only.
 */
export function provesKey(publicKey: Uint8Array, proof: Uint8Array, token: string): boolean {
  if (publicKey.length !== KEY_BYTES || proof.length !== SIGNATURE_BYTES) return false;
  try {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(`warren-enrol:${token}`), key, proof);
  } catch {
    // 32 bytes that are no point of the curve.
    return false;
  }
}
