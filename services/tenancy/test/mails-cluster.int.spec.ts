import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startRedisCluster, type RedisSet } from '@warren/infra/redis-sets';
import { until } from '@warren/infra/until';
import { fresh, InvitationWorld } from './invitation.world.ts';

/** The queue of mails on a cluster of Redis: its scripts take many keys, which have to be on one node. */
const world = new InvitationWorld();
let cluster: RedisSet;

beforeAll(async () => {
  cluster = await startRedisCluster();
  await world.start({ REDIS_URL: `redis://${cluster.nodes[0]}`, REDIS_MODE: 'cluster' });
});
afterAll(async () => {
  await world.stop();
  await cluster?.stop();
});

it('sends mails, and sends again what the mail server refused', async () => {
  world.mail.refusal = { code: 450, text: 'Come again' };
  const emails = Array.from({ length: 5 }, fresh);
  await world.send(emails);
  await until(async () => (await world.row(emails[0] ?? ''))?.deliveryProblem !== '');
  world.mail.refusal = undefined;
  await until(() => emails.every((email) => world.mail.to(email).length === 1), 30_000);
  expect((await world.row(emails[4] ?? ''))?.email).toBe(emails[4]?.toLowerCase());
});
