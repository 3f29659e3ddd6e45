import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { protectAudit } from '@warren/infra/audit-owner';
import { startNats } from '@warren/infra/nats';
import { startPostgres } from '@warren/infra/postgres';
import { provision, withClient } from '@warren/infra/provision';
import type { Server } from '@warren/infra/server';
import { until } from '@warren/infra/until';
import { migrate } from '@warren/platform/database/migrate';
import { CREATE_OUTBOX } from '@warren/platform/events/outbox.sql';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { databaseOptions } from '../src/database.ts';
import { Verifier } from '../src/verify/verifier.ts';

const PROGRAM = join(import.meta.dirname, 'fault.process.ts');
const account = uuidv7();
const running = new Set<ChildProcess>();
let folder: string;
let postgres: Server;
let nats: Server;
let urls: Record<string, string>;
const redis = process.env['TEST_REDIS_URL'] ?? '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-fault-'));
  // Both keep their data, and PostgreSQL syncs: they are killed too.
  [postgres, nats] = await Promise.all([
    startPostgres({ dir: join(folder, 'postgres') }),
    startNats({ dir: join(folder, 'nats') }),
  ]);
  urls = await provision({ adminUrl: postgres.url, services: ['devices', 'audit'] });
  await migrate(databaseOptions({ DATABASE_URL: urls['audit'] ?? '', DATABASE_POOL: 2 }));
  await protectAudit(postgres.url);
  await withClient(urls['devices'] ?? '', (client) =>
    client.query(`${CREATE_OUTBOX}; CREATE TABLE changes (id uuid PRIMARY KEY)`),
  );
});

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([postgres?.stop(), nats?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** Starts a process that kills itself at a step; without one it works until it is killed. */
function start(role: 'producer' | 'recorder', step = 'none'): ChildProcess {
  const database = urls[role === 'producer' ? 'devices' : 'audit'];
  const servers = { DATABASE_URL: database, NATS_URL: nats.url, REDIS_URL: redis };
  const env = { PATH: process.env['PATH'], ...servers, ACCOUNT: account };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, role, step], {
    env,
    stdio: 'inherit',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

const ended = async (child: ChildProcess) =>
  (child.exitCode ?? child.signalCode) ? child.signalCode : (await once(child, 'exit'))[1];
const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL');
  await ended(child);
};

const read = (service: string, sql: string) =>
  withClient(urls[service] ?? '', async (client) => (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id));
const changes = () => read('devices', 'SELECT id FROM changes ORDER BY id');
const events = () => read('audit', 'SELECT target_id AS id FROM events ORDER BY target_id');

/** Every change has one event, and the chain is whole. */
async function expectAll(): Promise<void> {
  const made = await changes();
  await until(async () => (await events()).length >= made.length, 60_000);
  expect(await events()).toEqual(made);
  const source = await new DataSource(
    dataSourceOptions(databaseOptions({ DATABASE_URL: urls['audit'] ?? '', DATABASE_POOL: 2 })),
  ).initialize();
  try {
    const { problems, events: count } = await new Verifier(source, { own: undefined, known: new Map() }).verify(
      account,
    );
    expect(problems).toEqual([]);
    expect(count).toBe(made.length);
  } finally {
    await source.destroy();
  }
}

describe('an audit event is stored once', () => {
  it('whichever process is killed between the change and its event, and wherever', async () => {
    const recorder = start('recorder');
    for (const step of [
      'before the commit',
      'after the commit',
      'before it is published',
      'before it leaves the outbox',
    ]) {
      const before = (await changes()).length;
      expect(await ended(start('producer', step))).toBe('SIGKILL');
      expect((await changes()).length).toBeGreaterThan(before);
    }
    // Another process publishes what the killed ones left.
    const publisher = start('producer');
    await expectAll();
    await kill(recorder);
    for (const step of ['before the store commits', 'before it is acknowledged']) {
      await ended(start('producer', 'after the commit'));
      expect(await ended(start('recorder', step))).toBe('SIGKILL');
    }
    const last = start('recorder');
    await expectAll();
    await Promise.all([kill(publisher), kill(last)]);
  }, 180_000);

  it('although PostgreSQL and NATS are killed meanwhile', async () => {
    const [recorder, publisher] = [start('recorder'), start('producer')];
    const before = (await changes()).length;
    const producer = start('producer', 'never');
    await until(async () => (await changes()).length > before, 60_000);
    await nats.kill();
    await postgres.kill();
    await Promise.all([nats.start(), postgres.start()]);
    await kill(producer);
    await ended(start('producer', 'after the commit'));
    await expectAll();
    await Promise.all([kill(recorder), kill(publisher)]);
  }, 180_000);
});
