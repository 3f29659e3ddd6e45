import { SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { DeviceKey } from '../state/key.ts';

const LIFE_SECONDS = 60;

/**
 * The proof for one dial: a JWT (RFC 7519) signed with EdDSA by the device's key, good for a minute, with an id used once.
 * @param now milliseconds since 1970
 * @param instance of this process: tells a second machine with the same key from this one that dials again
 */
export async function dialToken(
  key: DeviceKey,
  device: { device_id: string; audience: string },
  now: number,
  instance: string,
): Promise<string> {
  const issued = Math.floor(now / 1000);
  return new SignJWT({ instance })
    .setProtectedHeader({ alg: 'EdDSA', kid: device.device_id })
    .setSubject(device.device_id)
    .setAudience(device.audience)
    .setIssuedAt(issued)
    .setExpirationTime(issued + LIFE_SECONDS)
    .setJti(randomUUID())
    .sign(key.private);
}
