import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startRedisCluster, type RedisSet } from '@warren/infra/redis-sets';
import { until } from '@warren/infra/until';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { World } from './world.ts';

/** The broker's scripts on a cluster of Redis: a lease, a claim, its notice to the older holder, and the way out. */
let cluster: RedisSet;
let world: World;
const start = (port?: number) =>
  World.start({
    redis: `redis://${cluster.nodes[0]}`,
    nats: process.env['TEST_NATS_URL'] ?? '',
    env: { REDIS_MODE: 'cluster' },
    ...(port && { port }),
  });

beforeAll(async () => {
  cluster = await startRedisCluster();
  world = await start();
});
afterAll(async () => {
  await world?.stop();
  await cluster?.stop();
});

it('lets a newer link take a device, and ends the lease of an earlier process on the same address', async () => {
  const device = world.neighbours.device();
  const first = await world.agent(device);
  await until(() => world.presence(device.id).length === 1);
  const directory = world.app.get(ReplicaDirectory);
  const before = await directory.locate(device.id);
  expect(before).toMatchObject({ address: world.url });
  await world.agent(device);
  await until(async () => ((await directory.locate(device.id))?.epoch ?? 0n) > (before?.epoch ?? 0n));
  await until(() => !first.alive);
  const [earlier] = await directory.liveReplicas();
  await world.stop();
  world = await start(Number(new URL(world.url).port));
  await until(async () => {
    const live = await world.app.get(ReplicaDirectory).liveReplicas();
    return live.length === 1 && live[0]?.id !== earlier?.id;
  });
});
