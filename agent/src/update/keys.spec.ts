import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { NO_CRASHES, rawKey, UpdaterWorld } from '../../test/updater.ts';
import { trustedKeys } from './keys.ts';

describe('a rotated release key', () => {
  let world: UpdaterWorld;
  const next = generateKeyPairSync('ed25519');

  beforeEach(async () => {
    world = await UpdaterWorld.make();
  });
  afterEach(() => world.end());

  /** Offers a version. @returns how it ended */
  async function update(number: string, by: KeyObject, brings: KeyObject[] = []): Promise<string> {
    await world.ask(number, await world.release(number, by, { brings }));
    await world.apply();
    const { state, why } = (await world.outcome()) ?? {};
    return state === 'done' ? 'done' : `${state}: ${why}`;
  }

  const both = () => [own(), next.publicKey];
  const own = () => createPublicKey(world.key);

  it('is accepted from the release that has both, and the former one until a release without it', async () => {
    expect(await update('1.1.0', world.key, both())).toBe('done');
    expect(await update('1.2.0', world.key, both())).toBe('done');
    expect(await update('1.3.0', next.privateKey, [next.publicKey])).toBe('done');
    expect(await trustedKeys(world.places)).toEqual([rawKey(next.publicKey)]);
    expect(await update('1.4.0', world.key)).toMatch(/^failed: .*not signed by the release key of this device/);
  });

  it('is refused by a device that missed that release, with the remedy', async () => {
    const why = await update('1.3.0', next.privateKey, [next.publicKey]);
    expect(why).toContain(`not signed by the release key of this device (${rawKey(own()).slice(0, 8)}…)`);
    expect(why).toContain('first update it to a release that this key has signed and that brings the new key');
    expect(why.length).toBeLessThan(300);
    expect(await update('1.1.0', world.key, both())).toBe('done');
    expect(await update('1.3.0', next.privateKey, [next.publicKey])).toBe('done');
  });

  it('is refused until the release that has it has passed its trial', async () => {
    world.verdict = { good: false, why: 'no link', crashes: NO_CRASHES };
    expect(await update('1.1.0', world.key, both())).toContain('no link');
    world.verdict = { good: true, crashes: NO_CRASHES };
    expect(await update('1.3.0', next.privateKey)).toContain('not signed by the release key of this device');
  });

  it('stays that of the installation after a release without keys', async () => {
    expect(await update('1.1.0', world.key)).toBe('done');
    expect(await trustedKeys(world.places)).toEqual([rawKey(own())]);
  });

  it('is not accepted because of a missing file', async () => {
    await rm(world.places.releaseKey);
    await expect(trustedKeys(world.places)).rejects.toThrow('ENOENT');
  });
});
