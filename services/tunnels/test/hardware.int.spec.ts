import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { randomUUID } from 'node:crypto';
import { Links } from '../src/links/links.ts';
import type { FakeAgentOptions, TestDevice } from './fake.agent.ts';
import { World } from './world.ts';

describe('a machine with the key of a device and another serial', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const told = (id: string) =>
    world.events.flatMap(({ kind }) =>
      kind.case === 'deviceCloned' && kind.value.deviceId === id ? [kind.value] : [],
    );
  const link = (device: TestDevice) => world.app.get(Links).get(device.id);
  const deviceOf = (serial: string) => Object.assign(world.neighbours.device(), { serial });
  const dial = (device: TestDevice, serial: string, options: FakeAgentOptions = {}) =>
    world.agent(device, { instance: randomUUID(), machine: { serial, model: 'Pi 5' }, ...options });
  const refusal = (device: TestDevice, serial: string) => dial(device, serial).catch((error: unknown) => error);
  /** A person changed something about the device. */
  const changed = (device: TestDevice) =>
    world.publish(
      { case: 'deviceChanged', value: { deviceId: device.id, previousAccountId: '' } } as never,
      device.accountId,
      'ann',
    );

  it('waits and is reported while the device is away, which can still come', async () => {
    const device = deviceOf('board-1');
    expect(await refusal(device, 'board-2')).toMatchObject({ status: 409 });
    await until(() => told(device.id).length === 1);
    expect(told(device.id)[0]).toMatchObject({ serial: 'board-2', model: 'Pi 5' });
    expect(link(device)).toBeUndefined();
    await dial(device, 'board-1');
    await until(() => link(device) !== undefined);
  });

  it('takes nothing from the device that is there, and is not reported with each dial', async () => {
    const device = deviceOf('board-1');
    const agent = await dial(device, 'board-1');
    await until(() => link(device) !== undefined);
    const held = link(device);
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await refusal(device, 'board-2')).toMatchObject({ status: 409 });
    await until(() => told(device.id).length > 0);
    expect(told(device.id)).toHaveLength(1);
    expect(link(device)).toBe(held);
    expect(agent.alive).toBe(true);
  });

  it('is let in where the hub does not know the serial, which it reports, and where the agent says none', async () => {
    const device = deviceOf('');
    await dial(device, 'board-2');
    const reported = () => world.neighbours.reports.find(({ deviceId }) => deviceId === device.id);
    await until(() => reported() !== undefined);
    expect(reported()).toMatchObject({ serial: 'board-2' });
    const known = deviceOf('board-1');
    await world.agent(known, { instance: randomUUID() });
    await until(() => world.neighbours.reports.some(({ deviceId }) => deviceId === known.id));
    expect(world.neighbours.reports.find(({ deviceId }) => deviceId === known.id)).toMatchObject({ serial: '' });
  });

  it('has to enrol as a separate device once that is decided', async () => {
    const device = Object.assign(deviceOf('board-1'), { separateSerials: ['board-2'] });
    expect(await refusal(device, 'board-2')).toMatchObject({
      status: 409,
      body: expect.stringContaining('failed_precondition'),
    });
    expect(told(device.id)).toEqual([]);
  });

  it('takes the place of the hardware that is there once that is decided', async () => {
    const device = deviceOf('board-1');
    const agent = await dial(device, 'board-1');
    await until(() => link(device) !== undefined);
    device.serial = 'board-2';
    await changed(device);
    await until(() => !agent.alive);
    expect(await refusal(device, 'board-1')).toMatchObject({ status: 409 });
    await dial(device, 'board-2');
    await until(() => link(device)?.alive === true);
  });

  it('leaves a device that is to change its key: one that is there, and one that comes', async () => {
    let [here, comes] = [0, 0];
    const device = deviceOf('board-1');
    await dial(device, 'board-1', { onRotate: () => here++ });
    await until(() => link(device) !== undefined);
    Object.assign(device, { keyShared: true });
    await changed(device);
    await until(() => here === 1);
    await changed(device);
    const other = Object.assign(deviceOf('board-3'), { keyShared: true });
    await dial(other, 'board-3', { onRotate: () => comes++ });
    await until(() => comes === 1);
    expect(here).toBe(1);
  });

  it('is refused in words that agents read whole, however long the serials are', async () => {
    const refused = await refusal(deviceOf('ä'.repeat(128)), 'b'.repeat(128));
    const { message } = JSON.parse((refused as { body: string }).body) as { message: string };
    expect(message.length).toBeLessThanOrEqual(500);
  });

  it('is refused with claims of another form', async () => {
    const device = deviceOf('board-1');
    expect(await refusal(device, 'x'.repeat(129))).toMatchObject({ status: 401 });
    expect(link(device)).toBeUndefined();
  });
});
