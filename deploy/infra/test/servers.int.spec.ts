import { afterEach, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '../src/nats.ts';
import { ask, portRefusal } from '../src/ports.ts';
import { startPostgres } from '../src/postgres.ts';
import { withClient } from '../src/provision.ts';
import { startRedis } from '../src/redis.ts';
import type { Server } from '../src/server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanups.length) await cleanups.pop()?.();
});

async function keep(server: Promise<Server>): Promise<Server> {
  const started = await server;
  cleanups.push(() => started.stop());
  return started;
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'warren-test-'));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const count = (url: string) =>
  withClient(url, async (client) => (await client.query('select count(*)::int as n from kept')).rows[0].n);

describe('a durable PostgreSQL', () => {
  it('keeps what was committed over kill -9 and over a stop', async () => {
    const dir = await folder();
    const first = await startPostgres({ dir });
    cleanups.push(() => first.kill());
    await withClient(first.url, (client) => client.query('create table kept as select 1 as n'));
    const before = first.pid;
    await first.kill();
    await expect(withClient(first.url, (client) => client.query('select 1'))).rejects.toThrow(/ECONNREFUSED/);
    await first.start();
    expect(first.pid).not.toBe(before);
    expect(await count(first.url)).toBe(1);
    await first.stop();

    const second = await keep(startPostgres({ dir }));
    expect(await count(second.url)).toBe(1);
  });

  it('works in a folder that its user cannot reach', async () => {
    // mkdtemp makes it 0700: closed to the user postgres that root runs the server as.
    const dir = join(await folder(), 'below');
    const server = await keep(startPostgres({ dir }));
    expect(await withClient(server.url, async (c) => (await c.query('select 1 as n')).rows[0].n)).toBe(1);
  });
});

describe('a durable Redis', () => {
  it('keeps its keys over a stop', async () => {
    const dir = await folder();
    const first = await startRedis({ dir });
    await ask(first.host, first.port, 'SET kept yes\r\n');
    await first.stop();
    const second = await keep(startRedis({ dir }));
    expect(await ask(second.host, second.port, 'GET kept\r\n')).toBe('$3\r\nyes\r\n');
  });
});

describe('an ephemeral server', () => {
  it('leaves neither a process nor a listening port behind', async () => {
    const server = await startNats();
    expect(await portRefusal(server.host, server.port)).toBe('EADDRINUSE');
    const { pid } = server;
    await server.stop();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    expect(await portRefusal(server.host, server.port)).toBeUndefined();
  });

  it('says which port is taken', async () => {
    const taken = await keep(startRedis());
    await expect(startRedis({ port: taken.port })).rejects.toThrow(
      `port ${taken.port} of 127.0.0.1 can't be used: EADDRINUSE`,
    );
  });
});
