import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Links } from '../src/links/links.ts';
import type { TestDevice } from './fake.agent.ts';
import { World } from './world.ts';

describe('a device whose key was changed', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const held = (id: string) => world.app.get(Links).get(id);
  const dial = (device: TestDevice, instance: string) =>
    world.agent(device, { instance }).catch((error: unknown) => error);
  const linked = async () => {
    const device = world.neighbours.device();
    const instance = randomUUID();
    const agent = await world.agent(device, { instance });
    await until(() => held(device.id) !== undefined);
    return { device, agent, instance, old: { ...device } };
  };
  const change = (device: TestDevice) => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
    Object.assign(device, { publicKey: raw, privateKey });
  };

  it('links with the new key at once, though the old one is still in memory here, and with the old one never again', async () => {
    const { device, instance, old } = await linked();
    const before = held(device.id);
    change(device);
    await dial(device, instance);
    await until(() => held(device.id) !== before && held(device.id)?.alive === true);
    const now = held(device.id);
    expect(await dial(old, instance)).toMatchObject({ status: 401 });
    expect(held(device.id)).toBe(now);
  });

  it('is asked to prove the new one, and cut off when it does not', async () => {
    const { device, agent } = await linked();
    change(device);
    await world.publish(
      { case: 'deviceChanged', value: { deviceId: device.id, previousAccountId: '' } } as never,
      '',
      device.id,
    );
    await until(() => agent.goneAway);
    await until(() => !agent.alive && held(device.id) === undefined, 20_000);
  });

  it.each(['warren-h2', 'websocket'] as const)('receives its new id, by %s', async (carrier) => {
    const device = world.neighbours.device();
    expect((await world.agent(device, { carrier })).upgradeHeaders).not.toHaveProperty('warren-device');
    const fresh = world.neighbours.device();
    fresh.currentId = randomUUID();
    const agent = await world.agent(fresh, { carrier });
    expect(agent.upgradeHeaders).toMatchObject({ 'warren-device': fresh.currentId });
    await until(() => held(fresh.currentId ?? '') !== undefined);
    expect(held(fresh.id)).toBeUndefined();
  });

  it('is left alone by a change of something else', async () => {
    const { device, agent } = await linked();
    await world.publish(
      { case: 'deviceChanged', value: { deviceId: device.id, previousAccountId: '' } } as never,
      '',
      'someone',
    );
    // A later one, which has an effect, comes after it.
    const other = await linked();
    change(other.device);
    await world.publish(
      { case: 'deviceChanged', value: { deviceId: other.device.id, previousAccountId: '' } } as never,
      '',
      other.device.id,
    );
    await until(() => other.agent.goneAway);
    expect([agent.goneAway, agent.alive]).toEqual([false, true]);
  });
});
