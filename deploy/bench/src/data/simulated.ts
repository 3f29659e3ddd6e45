import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A device that the simulator plays. */
export interface SimulatedDevice {
  id: string;
  private: KeyObject;
  /** Ed25519, 32 bytes. */
  public: Uint8Array;
}

/**
 * Derives device `n` of a simulated fleet. Its key is derived from the fleet's secret, so that the database and the simulator create the
 * same devices independently, and a fleet is enrolled once.
 * @param secret grants the identity of every device of the fleet
 * @param n from 1
 */
export function simulatedDevice(secret: string, n: number): SimulatedDevice {
  const seed = createHmac('sha256', secret).update(`warren-simulated-device:${n}`).digest();
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { id: simulatedId(n), private: key, public: new Uint8Array(spki.subarray(-32)) };
}

/** Returns a UUID of version 7 (RFC 9562) that ends with the number. */
export function simulatedId(n: number): string {
  return `01990000-0000-7000-8005-${n.toString(16).padStart(12, '0')}`;
}
