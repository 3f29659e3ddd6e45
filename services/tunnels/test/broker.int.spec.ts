import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startRedis, userArguments } from '@warren/infra/redis';
import { ReplicaDirectory } from '@warren/platform/broker/directory';
import { Redis } from 'ioredis';
import { Lease } from '../src/broker/lease.ts';
import { Links } from '../src/links/links.ts';
import { dialToken } from './fake.agent.ts';
import { until } from '@warren/infra/until';
import { REDIS_USER, World } from './world.ts';

describe('the directory', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let redis: Redis;
  let world: World;

  beforeAll(async () => {
    server = await startRedis({}, userArguments(REDIS_USER));
    redis = new Redis(server.url, { retryStrategy: () => 50 });
    redis.on('error', () => {});
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });
  beforeEach(async () => {
    await redis.flushall();
    world = await World.start({ redis: server.url, nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterEach(async () => world?.stop());

  it('claims devices again after Redis lost its data, with a greater epoch, and announces it', async () => {
    const device = world.neighbours.device();
    await world.agent(device);
    await until(() => world.presence(device.id).length === 1);
    await redis.flushall();
    await until(() => world.presence(device.id).length === 2);
    const [before, after] = world.presence(device.id);
    expect(after?.kind).toBe('came');
    expect((after?.epoch ?? 0n) > (before?.epoch ?? 0n)).toBe(true);
    expect(await world.app.get(ReplicaDirectory).locate(device.id)).toMatchObject({ address: world.url });
  });

  it('keeps links while Redis is away, takes no new ones, says not ready, and heals', async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.presence(device.id).length > 0);
    const leaving = world.neighbours.device();
    const leaver = await world.agent(leaving);
    await until(() => world.presence(leaving.id).length > 0);
    await server.kill();
    await until(() => !world.app.get(Lease).holds);
    const token = await dialToken(world.neighbours.device());
    const refused = await world.agent(world.neighbours.device()).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 503 });
    expect(token).toBeTruthy();
    expect(agent.alive).toBe(true);
    leaver.kill();
    await until(() => world.presence(leaving.id).at(-1)?.kind === 'went');
    await server.start();
    await until(() => world.app.get(Lease).holds);
    await until(async () => (await world.app.get(ReplicaDirectory).locate(device.id))?.address === world.url);
    expect(world.app.get(Links).get(device.id)?.alive).toBe(true);
    expect(await redis.exists(`device:${leaving.id}`)).toBe(0);
  });

  it('does not take a device back that a newer link elsewhere holds', async () => {
    const device = world.neighbours.device();
    const agent = await world.agent(device);
    await until(() => world.presence(device.id).length > 0);
    const link = world.app.get(Links).get(device.id);
    const epoch = String((link?.epoch ?? 0n) + 10n);
    await redis.hset(`device:${device.id}`, { replica: 'other', connection: 'newer', epoch });
    await redis.zrem('warren:replicas', world.app.get(Lease).replica);
    await until(() => !agent.alive);
    expect(await redis.hget(`device:${device.id}`, 'connection')).toBe('newer');
  });

  it('ends the lease of the process that was on the same address before', async () => {
    const before = world.app.get(Lease).replica;
    const port = Number(new URL(world.url).port);
    // The first one is dead without a word: its lease is still there when the next one starts.
    const lease = { member: before, score: Date.now() + 60_000 };
    await world.stop();
    await redis.zadd('warren:replicas', lease.score, lease.member);
    await redis.set(`replica-at:${world.url}`, before);
    world = await World.start({ redis: server.url, nats: process.env['TEST_NATS_URL'] ?? '', port });
    expect(await redis.zscore('warren:replicas', before)).toBeNull();
    expect((await world.app.get(ReplicaDirectory).liveReplicas()).map(({ id }) => id)).toEqual([
      world.app.get(Lease).replica,
    ]);
  });

  it('does not locate a device at a replica whose lease is over', async () => {
    const device = world.neighbours.device();
    await redis.hset(`device:${device.id}`, { replica: 'dead', connection: 'c', epoch: '5' });
    await redis.hset('replica:dead', { address: 'http://127.0.0.1:1' });
    await redis.zadd('warren:replicas', Date.now() - 1, 'dead');
    expect(await world.app.get(ReplicaDirectory).locate(device.id)).toBeUndefined();
    expect((await world.app.get(ReplicaDirectory).liveReplicas()).map(({ id }) => id)).not.toContain('dead');
  });

  it('lets exactly one of many claims at once be the newest', async () => {
    const device = world.neighbours.device();
    await Promise.all(Array.from({ length: 8 }, () => world.agent(device)));
    await until(async () => {
      const entry = await redis.hgetall(`device:${device.id}`);
      const link = world.app.get(Links).get(device.id);
      return link !== undefined && link.id === entry['connection'] && String(link.epoch) === entry['epoch'];
    });
    await until(() => world.app.get(Links).count === 1);
  });
});
