import { create } from '@bufbuild/protobuf';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { socketsKey } from '@warren/platform/broker/keys';
import { socketsIn } from '@warren/platform/broker/sockets';
import type { RedisLink } from '@warren/platform/redis/redis.module';
import { UserCallerSchema } from '@warren/proto/common/v1/common';
import { Redis } from 'ioredis';
import { v7 as uuidv7 } from 'uuid';
import type { Lease } from '../src/broker/lease.ts';
import { AccountSockets } from '../src/sockets/account.sockets.ts';
import { World, type Browser } from './world.ts';

describe('the quota of open sockets', () => {
  let world: World;
  let redis: Redis;
  let deviceId: string;
  let accountId: string;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
    redis = new Redis(process.env['TEST_REDIS_URL'] ?? '');
    const device = world.neighbours.device();
    deviceId = device.id;
    await world.agent(device);
  });
  afterAll(async () => {
    await world?.stop();
    redis?.disconnect();
  });

  beforeEach(() => {
    accountId = uuidv7();
    Object.assign(world.neighbours.devices.get(deviceId) ?? {}, { accountId });
  });
  afterEach(() => {
    world.neighbours.mostSockets = undefined;
  });

  const count = async () => socketsIn(await redis.hgetall(socketsKey(accountId)), Date.now());
  const open = (most?: bigint) => {
    world.neighbours.mostSockets = most;
    return world.browser(deviceId, { accountId, kind: 'terminal' });
  };
  const isDone = ({ socket, ...browser }: Browser) => socket.connected || browser.received.length > 0;
  const settled = async (browsers: Browser[]) => {
    await until(() => browsers.every(isDone));
    return browsers.filter(({ socket }) => socket.connected);
  };

  it('is held by sockets that come at the same time, and says so to those that are too many', async () => {
    const browsers = Array.from({ length: 6 }, () => open(3n));
    const connected = await settled(browsers);
    expect(connected).toHaveLength(3);
    const [refused] = browsers.filter(({ socket }) => !socket.connected);
    expect(refused?.heard('connect_error')).toMatchObject({
      code: 'quota_reached',
      message:
        'Quota reached: This account may have 3 open terminals, desktops, logs and web services. Close one that is no longer needed, or ask the operator of this hub for a higher limit.',
    });
    connected[0]?.socket.disconnect();
    await until(async () => (await count()) === 2);
    expect(await settled([open(3n)])).toHaveLength(1);
  });

  it('lets in any number without a limit, and counts them', async () => {
    expect(await settled([open(), open()])).toHaveLength(2);
    await until(async () => (await count()) === 2);
    // They count for a limit that is set meanwhile.
    expect(await settled([open(2n)])).toHaveLength(0);
  });

  it('counts those of other replicas, until their leases are over', async () => {
    await redis.hset(socketsKey(accountId), 'other', `2 ${Date.now() + 60_000}`);
    expect(await settled([open(2n)])).toHaveLength(0);
    await redis.hset(socketsKey(accountId), 'other', `2 ${Date.now() - 1}`);
    expect(await settled([open(2n)])).toHaveLength(1);
    expect(await redis.hkeys(socketsKey(accountId))).toHaveLength(1);
  });

  it('is held by two replicas at the same time', async () => {
    const replicas = ['one', 'two'].map(
      (replica) => new AccountSockets({ client: redis } as unknown as RedisLink, { replica } as Lease),
    );
    const user = create(UserCallerSchema, { accountId });
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => replicas[at % 2]?.open(user, 4n)));
    const opened = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(opened).toHaveLength(4);
    for (const undo of [...opened, ...opened]) undo?.();
    await until(async () => (await count()) === 0);
  });

  it('is none for people of the operator', async () => {
    const sockets = world.app.get(AccountSockets);
    const operator = create(UserCallerSchema, { accountId, operator: true });
    (await sockets.open(operator, 0n))();
    expect(await count()).toBe(0);
  });
});
