import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { Fault } from '@warren/platform/errors/fault';
import type { TakeMetricsRequest } from '@warren/proto/agent/v1/agent';
import type { TestDevice } from './fake.agent.ts';
import { World } from './world.ts';

const MINUTE = 60;

/** A device that has sampled for so many minutes, as the agent keeps its samples. */
class SampledDevice {
  readonly asked: TakeMetricsRequest[] = [];
  private times: number[];

  constructor(minutes: number) {
    const now = Math.floor(Date.now() / 1_000);
    this.times = Array.from({ length: minutes }, (_, index) => now - (minutes - index) * MINUTE);
  }

  onMetrics = (request: TakeMetricsRequest) => {
    this.asked.push(request);
    this.times = this.times.filter((time) => time > request.stored);
    const samples = this.times.slice(0, request.limit).map((time) => this.sample(time));
    return { samples, more: this.times.length > samples.length };
  };

  private sample(time: number) {
    return {
      time,
      cpuPercent: 12.5,
      memoryTotal: 4_000_000_000n,
      disks: Array.from({ length: 40 }, (_, index) => ({ mount: `/${'é'.repeat(100)}${index}`, used: 1n, total: 2n })),
      interfaces: [{ name: 'eth0', rxBytes: 5n, txBytes: 6n }],
    };
  }
}

describe('the usage of devices', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({
      redis: process.env['TEST_REDIS_URL'] ?? '',
      nats: process.env['TEST_NATS_URL'] ?? '',
      metrics: { interval: 20, catchUp: 1, pause: 20 },
    });
  });
  beforeEach(() => {
    world.neighbours.fleet.beforeSamples = async () => {};
  });
  afterAll(async () => world?.stop());

  const stored = ({ id }: TestDevice) =>
    world.neighbours.fleet.samples.filter(({ deviceId }) => deviceId === id).flatMap(({ samples }) => samples);
  const times = (device: TestDevice) => stored(device).map(({ time }) => time);

  it('is stored by fleet, oldest first, and then dropped by the agent', async () => {
    const device = world.neighbours.device();
    const sampled = new SampledDevice(25);
    await world.agent(device, { onMetrics: sampled.onMetrics });
    await until(() => new Set(times(device)).size === 25);
    expect(times(device)).toEqual([...new Set(times(device))].sort((a, b) => a - b));
    const newest = times(device).at(-1);
    await until(() => sampled.asked.at(-1)?.stored === newest);
    expect(world.neighbours.fleet.samples.find(({ deviceId }) => deviceId === device.id)).toMatchObject({
      accountId: device.accountId,
    });
  });

  it('is bounded, whatever a device sends', async () => {
    const device = world.neighbours.device();
    await world.agent(device, { onMetrics: new SampledDevice(1).onMetrics });
    await until(() => stored(device).length > 0);
    const [sample] = stored(device);
    expect(sample?.disks).toHaveLength(16);
    expect(Buffer.byteLength(sample?.disks[0]?.mount ?? '')).toBe(127);
    expect(sample).toMatchObject({ cpuPercent: 12.5, interfaces: [{ name: 'eth0', rxBytes: 5n, txBytes: 6n }] });
  });

  it('waits at the device while fleet takes none, and is whole afterwards', async () => {
    let refused = 0;
    world.neighbours.fleet.beforeSamples = async () => {
      refused++;
      throw new Fault('unavailable', 'fleet is away.');
    };
    const device = world.neighbours.device();
    const sampled = new SampledDevice(12);
    await world.agent(device, { onMetrics: sampled.onMetrics });
    await until(() => refused >= 2);
    expect(sampled.asked.every(({ stored: time }) => time === 0)).toBe(true);
    world.neighbours.fleet.beforeSamples = async () => {};
    await until(() => new Set(times(device)).size === 12);
  });

  it('continues over another link, at the sample that is not stored', async () => {
    const device = world.neighbours.device();
    const sampled = new SampledDevice(30);
    const first = await world.agent(device, { onMetrics: sampled.onMetrics });
    await until(() => stored(device).length >= 10);
    first.kill();
    await world.agent(device, { onMetrics: sampled.onMetrics });
    await until(() => new Set(times(device)).size === 30);
  });

  it('is not asked of an agent that does not know the call, a second time', async () => {
    const [old, newer] = [world.neighbours.device(), world.neighbours.device()];
    const agent = await world.agent(old);
    const sampled = new SampledDevice(1);
    await world.agent(newer, { onMetrics: sampled.onMetrics });
    await until(() => sampled.asked.length >= 5);
    expect(agent.alive).toBe(true);
    expect(stored(old)).toEqual([]);
  });
});
