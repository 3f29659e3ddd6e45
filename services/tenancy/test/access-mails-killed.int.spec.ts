import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { withClient } from '@warren/infra/provision';
import { addRedisUser } from '@warren/infra/redis';
import { serviceUrl } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { InvitationWorld } from './invitation.world.ts';
import { REDIS_USER } from './tenancy.process.ts';

const PROGRAM = join(import.meta.dirname, 'mail-fault.process.ts');
const APPROVER = 'owner@acme.test';
/** A round, the time after which a killed process counts as dead, and the start of a process on a busy machine. */
const NEXT_MS = 60_000;

const world = new InvitationWorld();
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await world.start();
  await world.app.close();
});
beforeEach(() => {
  world.mail.received.length = 0;
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([world.nats?.stop(), world.redis?.stop(), world.mail?.stop()]);
  await world.database?.drop();
});

const sql = <T extends object>(text: string, values: unknown[] = []) =>
  withClient(world.database.url, async (client) => (await client.query<T>(text, values)).rows);
const rows = () => sql<{ id: string; attempts: number }>('SELECT id, attempts FROM access_mails');
const sent = () => world.mail.to(APPROVER);

/** State after a process died following its change: an open request and the mail to its approver. */
async function ask(): Promise<void> {
  const id = uuidv7();
  await sql(
    `INSERT INTO access_requests
       (id, account_id, user_id, permissions, filter, device_name, reason, minutes, approvals_needed, expires)
     SELECT $1, account_id, id, '{view,terminal}', '', '', 'The pump stops', 60, 1, now() + interval '1 day'
     FROM users WHERE email = 'member@acme.test'`,
    [id],
  );
  await sql(`INSERT INTO access_mails (request_id, user_id, kind) SELECT $1, id, 'asked' FROM users WHERE email = $2`, [
    id,
    APPROVER,
  ]);
}

/** Starts a process that kills itself at a step; without one it works until it is killed. */
async function start(step = 'none'): Promise<ChildProcess> {
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    OPS_PORT: '0',
    NATS_URL: world.nats.url,
    REDIS_URL: await addRedisUser(world.redis.url, REDIS_USER),
    DATABASE_URL: serviceUrl(world.database.url),
    OPERATOR_EMAIL: 'Boss@Operator.test',
    HUB_URL: 'http://hub.test',
    SMTP_URL: world.mail.url,
  };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, step], {
    env,
    stdio: 'inherit',
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Another process sends what is left, and ends. */
async function sentOnceMore(): Promise<void> {
  const child = await start();
  await until(async () => (await rows()).length === 0, NEXT_MS);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function killedAt(step: string): Promise<void> {
  const child = await start(step);
  const [, signal] = (await once(child, 'exit', { signal: AbortSignal.timeout(NEXT_MS) })) as [unknown, string];
  expect(signal).toBe('SIGKILL');
}

// Each takes half a minute, until the next process takes over.
const soak = process.env['WARREN_SOAK'] ? it : it.skip;

soak('a mail about an access request outlives a process that is killed before it is queued', async () => {
  await ask();
  await killedAt('before it is queued');
  expect(await rows()).toMatchObject([{ attempts: 0 }]);
  // As after half a minute.
  await sql('UPDATE access_mails SET due = now()');
  await sentOnceMore();
  expect(sent()).toHaveLength(1);
});

soak('a mail about an access request outlives a process that is killed before it is sent', async () => {
  await ask();
  await killedAt('before it is sent');
  expect(await rows()).toMatchObject([{ attempts: 1 }]);
  await sentOnceMore();
  expect(sent()).toHaveLength(1);
});

soak(
  'a mail about an access request is sent again, with the same id, if its process is killed before that is marked',
  async () => {
    await ask();
    await killedAt('before it is marked');
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
    expect(sent()).toHaveLength(1);
    await sentOnceMore();
    expect(sent()).toHaveLength(2);
    const ids = sent().map(({ source }) => /^message-id: (.*)$/im.exec(source)?.[1]);
    expect(ids[0]).toMatch(/^<.+@hub\.test>$/);
    expect(ids[1]).toBe(ids[0]);
  },
);
