import { randomUUID, sign } from 'node:crypto';
import type { DeviceKey } from '../state/key.ts';

const LIFE_SECONDS = 60;

/** Identifies a machine among others with the same files. */
export interface Hardware {
  serial: string;
  model: string;
}

/**
 * The proof for one dial: a JWT (RFC 7519) signed with EdDSA by the device's key, valid for a minute, with a one-time id.
 * @param now milliseconds since 1970
 * @param instance id of this process: distinguishes a second machine with the same key from a reconnect
 * @param hardware absent if other hardware would be indistinguishable
 */
export function dialToken(
  key: DeviceKey,
  device: { device_id: string; audience: string },
  now: number,
  instance: string,
  hardware?: Hardware,
): string {
  const issued = Math.floor(now / 1000);
  const header = { alg: 'EdDSA', kid: device.device_id };
  const payload = {
    instance,
    sub: device.device_id,
    aud: device.audience,
    iat: issued,
    exp: issued + LIFE_SECONDS,
    jti: randomUUID(),
    ...hardware,
  };
  const signed = `${encoded(header)}.${encoded(payload)}`;
  // Compact serialization, RFC 7515, section 3.1; the algorithm is RFC 8037's.
  return `${signed}.${sign(null, Buffer.from(signed), key.private).toString('base64url')}`;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
