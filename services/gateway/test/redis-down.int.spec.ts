import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startRedis, userArguments } from '@warren/infra/redis';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { Role } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { REDIS_USER, ACCOUNT, DEVICE, person, TestGateway, shownTo } from './gateway.ts';
import { until } from '@warren/infra/until';

let redis: Awaited<ReturnType<typeof startRedis>>;
let gateway: TestGateway;

beforeAll(async () => {
  redis = await startRedis({}, userArguments(REDIS_USER));
  gateway = await TestGateway.start({ REDIS_URL: redis.url });
  gateway.services.serve(DevicesService, { getDevice: async (caller) => shownTo(caller) });
});
afterAll(async () => {
  await gateway?.stop();
  await redis?.stop();
});

it('without Redis public routes answer, what needs it says 503, and both heal by themselves', async () => {
  const who = gateway.signIn(person('member', Role.MEMBER));
  const { client } = gateway.app.get(RedisLink);
  await until(() => client.status === 'ready');
  await redis.kill();
  await until(() => client.status !== 'ready');
  expect((await gateway.get(`/install/${ACCOUNT}`)).status).toBe(401);
  expect((await gateway.get(`/api/devices/${DEVICE}`, who)).status).toBe(200);
  const { status, headers } = await gateway.get(`/api/get-socket-token/${DEVICE}`, who);
  expect([status, headers['retry-after']]).toEqual([503, '2']);
  await redis.start();
  await until(() => client.status === 'ready');
  expect((await gateway.get(`/api/get-socket-token/${DEVICE}`, who)).status).toBe(200);
  expect((await gateway.get(`/install/${ACCOUNT}`)).status).toBe(401);
});
