import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, urlOfUser, userArguments } from '@warren/infra/redis';
import type { Server } from '@warren/infra/server';
import { Redis } from 'ioredis';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { liveReplicaIds } from '../src/broker/directory.ts';
import { redisPasswordVariable, redisRules, redisUsers, REDIS_USERS } from '../src/rights/redis.rights.ts';

const FILE = resolve(import.meta.dirname, '../../../helm/warren/files/redis-users.conf');
const connections: Redis[] = [];
let server: Server;

const open = (url: string) => {
  const client = new Redis(url, { maxRetriesPerRequest: 1 });
  connections.push(client);
  return client;
};
const as = (user: (typeof REDIS_USERS)[number]) => open(urlOfUser(server.url, user));
const DENIED = /NOPERM/;

beforeAll(async () => {
  server = await startRedis(
    {},
    REDIS_USERS.flatMap((name) => userArguments({ name, rules: redisRules(name) })),
  );
});
afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server?.stop();
});

describe('the file that the chart, Compose and the local start use', () => {
  it('is made from the table', async () => {
    await expect(readFile(FILE, 'utf8')).resolves.toBe(redisUsers());
  });

  it('is read by redis-server, with passwords in the place of their variables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-redis-users-'));
    const file = join(folder, 'users.conf');
    const text = (await readFile(FILE, 'utf8')).replaceAll(/\$\{REDIS_PASSWORD_(\w+)\}/g, (_all, user) => `of-${user}`);
    await writeFile(file, text);
    expect(text).not.toContain('$');
    const other = await startRedis({}, ['--include', file]);
    try {
      for (const user of REDIS_USERS) {
        const url = new URL(other.url);
        url.username = user;
        url.password = `of-${redisPasswordVariable(user).replace('REDIS_PASSWORD_', '')}`;
        await expect(open(url.href).ping()).resolves.toBe('PONG');
      }
    } finally {
      await other.stop();
      await rm(folder, { recursive: true });
    }
  });
});

describe.each(['identity:session:x', '{warren}:identity:session:x'])('the session %s', (key) => {
  beforeAll(() => open(server.url).set(key, 'a session'));

  it('is read and written by identity', async () => {
    await expect(as('identity').set(key, 'a session')).resolves.toBe('OK');
    await expect(as('identity').getdel(key)).resolves.toBe('a session');
  });

  it.each(['gateway', 'tenancy', 'devices', 'tunnels', 'doctor'] as const)('is nothing to %s', async (user) => {
    const client = as(user);
    await expect(client.get(key)).rejects.toThrow(DENIED);
    await expect(client.set(key, 'forged')).rejects.toThrow(DENIED);
    await expect(client.del(key)).rejects.toThrow(DENIED);
    await expect(client.eval("return redis.call('GET', KEYS[1])", 1, key)).rejects.toThrow(DENIED);
    await expect(client.eval(`return redis.call('GET', '${key}')`, 0)).rejects.toThrow(/NOPERM|can't access/);
  });
});

describe.each(['identity:session:y', '{warren}:identity:session:y'])('the lifetime of the session %s', (key) => {
  it('is seen by the gateway, in one go with the version of members', async () => {
    await open(server.url).set(key, 'a session', 'PX', 60_000);
    await as('tenancy').set('tenancy:members-version', 'v');
    const [version, left] = (await as('gateway').pipeline().get('tenancy:members-version').pttl(key).exec()) ?? [];
    expect(version).toEqual([null, 'v']);
    expect(left).toEqual([null, expect.any(Number)]);
    for (const user of ['tenancy', 'devices', 'tunnels'] as const)
      await expect(as(user).pttl(key)).rejects.toThrow(DENIED);
  });

  it('is nothing that the gateway changes, nor is the version', async () => {
    await expect(as('gateway').pexpire(key, 1)).rejects.toThrow(DENIED);
    await expect(as('gateway').persist(key)).rejects.toThrow(DENIED);
    await expect(as('gateway').set('tenancy:members-version', 'w')).rejects.toThrow(DENIED);
  });
});

describe.each(REDIS_USERS)('%s', (user) => {
  it.each([
    ['flushall'],
    ['keys', '*'],
    ['scan', '0'],
    ['randomkey'],
    ['config', 'get', '*'],
    ['acl', 'list'],
    ['acl', 'setuser', 'default', 'nopass'],
    ['client', 'kill', 'type', 'normal'],
    ['script', 'flush'],
    ['function', 'flush'],
    ['monitor'],
    ['psubscribe', '*'],
  ])('may not %s %s', async (...command) => {
    const [name = '', ...values] = command;
    await expect(as(user).call(name, ...values)).rejects.toThrow(DENIED);
  });
});

describe('the directory of links', () => {
  it('is written by tunnels and read by the gateway', async () => {
    await as('tunnels').hset('device:1', 'replica', 'r');
    await as('tunnels').zadd('warren:replicas', Date.now() + 60_000, 'r');
    await expect(as('gateway').hget('device:1', 'replica')).resolves.toBe('r');
    await expect(as('gateway').hset('device:1', 'replica', 'mine')).rejects.toThrow(DENIED);
    for (const user of ['gateway', 'devices'] as const) {
      const { ids } = await liveReplicaIds({ client: as(user) } as never);
      expect(ids).toEqual(['r']);
    }
    await expect(as('devices').zadd('warren:replicas', 1, 'r')).rejects.toThrow(DENIED);
    await expect(as('devices').hget('device:1', 'replica')).rejects.toThrow(DENIED);
  });
});

describe('the end of sessions', () => {
  it('is published by identity and received by tunnels and the gateway', async () => {
    const heard: string[] = [];
    for (const user of ['tunnels', 'gateway'] as const) {
      const client = as(user);
      client.on('message', (_channel, text) => heard.push(`${user} ${text}`));
      await client.subscribe('identity:sessions-ended');
    }
    await expect(as('identity').publish('identity:sessions-ended', 'x')).resolves.toBe(2);
    await expect(as('tunnels').publish('identity:sessions-ended', 'x')).rejects.toThrow(DENIED);
    await expect(as('tenancy').subscribe('identity:sessions-ended')).rejects.toThrow(DENIED);
    await expect(as('devices').subscribe('warren:claims')).rejects.toThrow(DENIED);
  });
});
