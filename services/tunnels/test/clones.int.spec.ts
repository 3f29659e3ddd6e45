import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { randomUUID } from 'node:crypto';
import { Links } from '../src/links/links.ts';
import type { FakeAgentOptions, TestDevice } from './fake.agent.ts';
import { World } from './world.ts';

describe('a copied device', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const flags = (id: string) =>
    world.events.filter(({ kind }) => kind.case === 'deviceCloned' && kind.value.deviceId === id).length;
  const link = (device: TestDevice) => world.app.get(Links).get(device.id);
  const first = async (options: FakeAgentOptions = {}) => {
    const device = world.neighbours.device();
    const agent = await world.agent(device, { instance: randomUUID(), ...options });
    await until(() => link(device) !== undefined);
    return { device, agent };
  };

  it('is refused and reported while the first machine answers, which stays', async () => {
    const { device, agent } = await first();
    const held = link(device);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const refused = await world.agent(device, { instance: randomUUID() }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ status: 409 });
      await until(() => flags(device.id) === attempt);
    }
    expect(link(device)).toBe(held);
    expect(agent.alive).toBe(true);
    await until(() => world.presence(device.id).length > 0);
    expect(world.presence(device.id).map(({ kind }) => kind)).toEqual(['came']);
  });

  it('is not one that dials again', async () => {
    const instance = randomUUID();
    const { device } = await first({ instance });
    const held = link(device);
    await world.agent(device, { instance });
    await until(() => link(device) !== held && link(device) !== undefined);
    expect(flags(device.id)).toBe(0);
  });

  it('is not a restarted machine', async () => {
    const { device, agent } = await first();
    agent.kill();
    await world.agent(device, { instance: randomUUID() });
    await until(() => link(device)?.alive === true);
    expect(flags(device.id)).toBe(0);
  });

  it('is not one whose former process hangs: the new one takes over', async () => {
    const { device, agent } = await first({ carrier: 'websocket' });
    const held = link(device);
    agent.hang();
    await world.agent(device, { instance: randomUUID() });
    await until(() => link(device) !== held && link(device)?.alive === true);
    expect(flags(device.id)).toBe(0);
  });
});
