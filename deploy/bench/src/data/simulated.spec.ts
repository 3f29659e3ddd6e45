import { describe, expect, it } from '@jest/globals';
import { createPublicKey, sign, verify } from 'node:crypto';
import { validate } from 'uuid';
import { simulatedDevice } from './simulated.ts';

describe('a simulated device', () => {
  it('is the same each time, and has a key that fits', () => {
    const device = simulatedDevice('a secret', 7);
    expect(simulatedDevice('a secret', 7).public).toEqual(device.public);
    expect(validate(device.id)).toBe(true);
    const text = Buffer.from('text');
    expect(verify(null, text, createPublicKey(device.private), sign(null, text, device.private))).toBe(true);
  });

  it('differs from every other, and by the secret', () => {
    const keys = [1, 2].flatMap((n) => ['one', 'other'].map((secret) => simulatedDevice(secret, n)));
    expect(new Set(keys.map((device) => Buffer.from(device.public).toString('hex'))).size).toBe(4);
    expect(new Set(keys.map(({ id }) => id)).size).toBe(2);
  });
});
