import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Proxy } from '@warren/infra/proxy';
import { startRedis } from '@warren/infra/redis';
import { startRedisCluster, startSentinels, type RedisSet } from '@warren/infra/redis-sets';
import { until } from '@warren/infra/until';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { liveReplicaIds, ReplicaDirectory } from '../src/broker/directory.ts';
import { BROKER, deviceKey, replicaKey } from '../src/broker/keys.ts';
import { redisConfig } from '../src/config/common.ts';
import { HealthRegistry } from '../src/health/health.registry.ts';
import { RedisLink } from '../src/redis/redis.module.ts';
import { RedisServer } from '../src/redis/redis.server.ts';

const open = (env: Record<string, string>) =>
  new RedisLink(new RedisServer(redisConfig.parse(env)), 'test', new HealthRegistry());

/** A replica that lives and holds a device, written as tunnels writes it. */
async function hold({ client }: RedisLink, device: string): Promise<void> {
  await client.zadd(BROKER.replicas, Date.now() + 60_000, 'r1', Date.now() - 1, 'r0');
  await client.hset(replicaKey('r1'), { address: 'http://r1:9090', load: 7, draining: '0' });
  await client.hset(deviceKey(device), { replica: 'r1', connection: 'c1', epoch: '5' });
}

const portOf = (node = '') => Number(node.split(':')[1]);

beforeAll(() => Logger.overrideLogger(false));

describe('Redis with sentinels', () => {
  let set: RedisSet;
  let env: Record<string, string>;
  let link: RedisLink;
  beforeAll(async () => {
    set = await startSentinels();
    env = { REDIS_URL: 'redis://mymaster', REDIS_MODE: 'sentinel', REDIS_NODES: set.nodes.join(',') };
    link = open(env);
  });
  afterAll(async () => {
    link?.onApplicationShutdown();
    await set?.stop();
  });

  it('ends a connection that is not to be tried again', async () => {
    const client = new RedisServer(redisConfig.parse(env)).connect({ retryStrategy: () => null });
    await client.ping();
    const ended = once(client, 'end');
    client.disconnect(true);
    await ended;
    expect(client.status).toBe('end');
  });

  it('continues with the replica that replaces a dead master', async () => {
    await hold(link, 'd1');
    expect(await link.client.wait(1, 5_000)).toBe(1);
    await set.servers[0]?.kill();
    await until(async () => (await link.client.set('after', 'yes')) === 'OK', 40_000);
    await expect(new ReplicaDirectory(link).locate('d1')).resolves.toMatchObject({
      address: 'http://r1:9090',
      epoch: 5n,
    });
    expect(await link.client.get('after')).toBe('yes');
  });
});

describe('Redis with sentinels that answer late', () => {
  let set: RedisSet;
  let proxy: Proxy;
  let link: RedisLink;
  beforeAll(async () => {
    set = await startSentinels();
    proxy = await Proxy.start(portOf(set.nodes[0]));
    link = open({ REDIS_URL: 'redis://mymaster', REDIS_MODE: 'sentinel', REDIS_NODES: `127.0.0.1:${proxy.port}` });
  });
  afterAll(async () => {
    link?.onApplicationShutdown();
    await proxy?.stop();
    await set?.stop();
  });

  it('reconnects when a failover is announced before they answer', async () => {
    expect(await link.client.set('before', 'yes')).toBe('OK');
    const listeners = set.nodes.map((node) => new Redis(portOf(node)));
    const heard = listeners.map((listener) => new Promise((resolve) => listener.once('message', resolve)));
    await Promise.all(listeners.map((listener) => listener.subscribe('+switch-master')));
    const release = proxy.hold();
    await set.servers[0]?.kill();
    await Promise.all(heard);
    release();
    await until(async () => (await link.client.set('after', 'yes')) === 'OK');
    for (const listener of listeners) listener.disconnect();
  });
});

describe('Redis as a cluster', () => {
  let set: RedisSet;
  let link: RedisLink;
  beforeAll(async () => {
    set = await startRedisCluster();
    link = open({
      REDIS_URL: `redis://${set.nodes[0]}`,
      REDIS_MODE: 'cluster',
      REDIS_NODES: set.nodes.slice(1).join(','),
    });
  });
  afterAll(async () => {
    link?.onApplicationShutdown();
    await set?.stop();
  });

  it('answers the directory, with all that it reads at once', async () => {
    await hold(link, 'd1');
    await expect(new ReplicaDirectory(link).locate('d1')).resolves.toMatchObject({
      address: 'http://r1:9090',
      connection: 'c1',
    });
    await expect(new ReplicaDirectory(link).liveReplicas()).resolves.toEqual([
      { id: 'r1', address: 'http://r1:9090', load: 7, draining: false },
    ]);
    expect((await liveReplicaIds(link)).ids).toEqual(['r1']);
  });

  it('takes several keys in one command, and in one transaction', async () => {
    const keys = Array.from({ length: 20 }, (_, number) => `key:${number}`);
    const transaction = link.client.multi();
    for (const key of keys) transaction.set(key, key);
    await transaction.exec();
    await expect(link.client.mget(keys)).resolves.toEqual(keys);
    await expect(link.client.del(keys)).resolves.toBe(20);
  });

  it('passes signals on, whichever node one listens at', async () => {
    const subscriber = link.subscriber();
    const heard: string[] = [];
    subscriber.on('message', (channel, text) => heard.push(`${channel} ${text}`));
    await subscriber.subscribe('signals');
    await until(async () => {
      await link.client.publish('signals', 'ended');
      return heard.includes('signals ended');
    });
    subscriber.disconnect();
  });
});

describe('a connection for subscriptions', () => {
  it('leaves no rejection behind if it ends as soon as it is back', async () => {
    const server = await startRedis();
    const proxy = await Proxy.start(Number(new URL(server.url).port));
    const link = open({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` });
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const subscriber = link.subscriber();
      await subscriber.subscribe('signals');
      const ended = new Promise((resolve) => subscriber.once('end', resolve));
      subscriber.once('ready', () => subscriber.disconnect());
      proxy.reset();
      await ended;
      await setImmediate();
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      link.onApplicationShutdown();
      await proxy.stop();
      await server.stop();
    }
  });
});

describe('settings that contradict each other', () => {
  it.each([
    [{ REDIS_URL: 'redis://mymaster', REDIS_MODE: 'sentinel' }, /REDIS_NODES: expected the sentinels/],
    [{ REDIS_URL: 'redis://a:1', REDIS_NODES: 'b:2' }, /REDIS_NODES: expected nothing/],
    [{ REDIS_URL: 'redis://a:1', REDIS_CA_FILE: '/ca' }, /REDIS_CA_FILE: expected nothing unless/],
    [
      { REDIS_URL: 'rediss://a:1', REDIS_CA_FILE: '/nowhere/ca' },
      /REDIS_CA_FILE: the file \/nowhere\/ca can't be read/,
    ],
    [{ REDIS_URL: 'redis://a:1/2', REDIS_MODE: 'cluster' }, /REDIS_URL: a cluster has the database 0 only/],
  ])('%j', (env, text) => {
    expect(() => new RedisServer(redisConfig.parse(env))).toThrow(text);
  });
});
