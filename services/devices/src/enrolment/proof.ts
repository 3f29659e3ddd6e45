import { createPublicKey, verify } from 'node:crypto';

/** Length in bytes of an Ed25519 public key and of a signature (RFC 8032, 5.1). */
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The text that a device signs to enrol: valid for that token only. */
export const enrolmentText = (token: string): string => `warren-enrol:${token}`;

/** The text that a machine signs with its current and its new key to become a separate device. */
export const separationText = (deviceId: string, newKey: Uint8Array): string =>
  `warren-separate:${deviceId}:${Buffer.from(newKey).toString('base64url')}`;

/** The text that a device signs with both keys to rotate its key: valid for these two only, in this order. */
export function rotationText(deviceId: string, oldKey: Uint8Array, newKey: Uint8Array): string {
  const text = (key: Uint8Array) => Buffer.from(key).toString('base64url');
  return `warren-rotate:${deviceId}:${text(oldKey)}:${text(newKey)}`;
}

/** Whether the sender of the proof has the private key: an Ed25519 signature (RFC 8032) over a single-purpose text. */
export function provesKey(publicKey: Uint8Array, proof: Uint8Array, text: string): boolean {
  if (publicKey.length !== KEY_BYTES || proof.length !== SIGNATURE_BYTES) return false;
  try {
    const x = Buffer.from(publicKey).toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(text), key, proof);
  } catch {
    // 32 bytes that are no point on the curve.
    return false;
  }
}
