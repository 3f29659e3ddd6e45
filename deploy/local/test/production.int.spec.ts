import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNats } from '@warren/infra/nats';
import { startRedis } from '@warren/infra/redis';
import type { Server } from '@warren/infra/server';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signingKeys } from '../src/idp/keys.ts';
import { metadata as developmentMetadata } from '../src/idp/saml.ts';
import { root } from '../src/settings.ts';

const EX_CONFIG = 78;
const run = promisify(execFile);

interface Ended {
  code: number;
  /** Names of the variables that the lines of the refusal begin with. */
  named: string[];
  text: string;
}

/** Starts a built service and waits until it has ended. */
async function start(service: string, env: Record<string, string>): Promise<Ended> {
  const options = {
    cwd: join(root, 'services', service),
    env: { PATH: process.env['PATH'], OPS_PORT: '0', PORT: '0', LOG_LEVEL: 'silent', ...env },
    timeout: 30_000,
  };
  const failed = await run(process.execPath, ['dist/main.js'], options).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
  const named = failed.stderr.split('\n').flatMap((line) => /^([A-Z_]+)(?=:| and )/.exec(line)?.[1] ?? []);
  return { code: failed.code, named, text: failed.stderr };
}

/** What `make start` gives its services, as far as it is not fit for others. */
const development = {
  HUB_URL: 'http://localhost:8080',
  DATABASE_URL: 'postgres://warren:warren@db/warren',
  REDIS_URL: 'redis://redis:6379',
  NATS_URL: 'nats://nats:4222',
  SMTP_URL: 'smtp://mail:password@mail',
  OPERATOR_EMAIL: 'superadmin@warren.example',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-production-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a production start with the settings of development', () => {
  it.each([
    ['identity', ['DATABASE_URL', 'NATS_URL', 'REDIS_URL']],
    ['tenancy', ['DATABASE_URL', 'HUB_URL', 'NATS_URL', 'REDIS_URL', 'SMTP_URL']],
    ['devices', ['DATABASE_URL', 'DEVICE_DOMAIN', 'NATS_URL', 'REDIS_URL']],
    ['fleet', ['DATABASE_URL', 'HUB_URL', 'NATS_URL', 'REDIS_URL', 'SMTP_URL']],
    ['audit', ['DATABASE_URL', 'HUB_URL', 'NATS_URL', 'REDIS_URL']],
    ['tunnels', ['ADVERTISED_URL', 'DEVICE_DOMAIN', 'HUB_URL', 'NATS_URL', 'REDIS_URL']],
    ['gateway', ['DEVICE_DOMAIN', 'HUB_URL', 'NATS_URL', 'REDIS_URL', 'SAML_KEY_FILE', 'SAML_PROVIDERS']],
  ])('ends %s with one list of all that is wrong', async (service, wrong) => {
    const metadata = join(folder, 'development.xml');
    await writeFile(
      metadata,
      developmentMetadata({ ...(await signingKeys(folder)), issuer: 'http://localhost:8081/metadata' }),
    );
    const SAML_PROVIDERS = JSON.stringify([{ id: 'default', name: 'Development', metadata }]);
    const ended = await start(service, { ...development, SAML_PROVIDERS, SAML_KEY_FILE: '/no/such.pem' });
    expect([ended.code, [...new Set(ended.named)].sort()]).toEqual([EX_CONFIG, wrong]);
    expect(ended.text).not.toMatch(/warren:warren|:password@|\n\s+at /);
    if (service === 'gateway') expect(ended.text).toContain('is on this machine alone');
  });
});

describe('a production start with a Redis that evicts', () => {
  const servers: Server[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it('ends the gateway, which names the setting', async () => {
    const [redis, nats] = await Promise.all([startRedis(), startNats()]);
    servers.push(redis, nats);
    await run('redis-cli', ['-u', redis.url, 'CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru']);
    const ended = await start('gateway', {
      HUB_URL: 'https://hub.example.com',
      DEVICE_DOMAIN: 'devices.example.com',
      REDIS_URL: redis.url,
      NATS_URL: nats.url,
      SAML_PROVIDERS: JSON.stringify([{ id: 'a', name: 'A', metadata: join(folder, 'none.xml') }]),
    });
    expect([ended.code, ended.named]).toEqual([EX_CONFIG, ['REDIS_URL']]);
    expect(ended.text).toContain('maxmemory-policy noeviction (came: allkeys-lru)');
  });
});
