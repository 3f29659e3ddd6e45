import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { redisRules, REDIS_USERS } from '@warren/platform/rights/redis.rights';
import { makeAuthority } from '@warren/infra/certificates';
import { startNats } from '@warren/infra/nats';
import { addRedisUser, startRedis, urlOfUser } from '@warren/infra/redis';
import type { Server } from '@warren/infra/server';
import { withClient } from '@warren/infra/provision';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { Redis } from 'ioredis';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { checkBus } from '../src/checks/bus.ts';
import { checkDatabases } from '../src/checks/databases.ts';
import { checkRedis } from '../src/checks/redis.ts';
import type { Finding } from '../src/finding.ts';
import { readOptions } from '../src/options.ts';

const HUB_URL = 'https://hub.test';
const brief = (found: Finding[]) => found.map(({ status, detail }) => `${status} ${detail}`);

describe('Redis', () => {
  let server: Server;
  let client: Redis;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });
  const look = async (url = server.url) => brief(await checkRedis(readOptions({ HUB_URL, REDIS_URL: url })));

  it('in order but for what a restart would cost', async () => {
    expect(await look()).toEqual([
      'ok it evicts nothing',
      expect.stringMatching(/^warn it keeps no append-only file/),
      expect.stringMatching(/^ok .*are allowed/),
      'warn services share one user, who may do everything',
    ]);
    expect(await client.keys('*doctor*')).toEqual([]);
  });

  it('with a user for each service, and one that may do more than it needs', async () => {
    for (const name of REDIS_USERS) await addRedisUser(server.url, { name, rules: redisRules(name) });
    expect((await look(urlOfUser(server.url, 'doctor'))).slice(2)).toEqual([
      expect.stringMatching(/^ok .*are allowed/),
      'ok services have their own users and rights',
    ]);
    await addRedisUser(server.url, { name: 'tunnels', rules: ['~*', '+@all'] });
    expect((await look()).at(-1)).toBe('warn tunnels may GET identity:session:doctor');
    for (const name of REDIS_USERS) await client.call('ACL', 'DELUSER', name);
  });

  it('that evicts', async () => {
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
    expect((await look())[0]).toBe('fail maxmemory-policy is allkeys-lru');
    await client.config('SET', 'maxmemory-policy', 'noeviction');
  });

  it('whose user may only read', async () => {
    await client.call('ACL', 'SETUSER', 'reader', 'on', '>secret-of-a-test', '~*', '&*', '+@read', '+info', '+ping');
    const found = await look(server.url.replace('//', '//reader:secret-of-a-test@'));
    expect(found.filter((line) => line.startsWith('fail')).map((line) => /to ([a-z ]+):/.exec(line)?.[1])).toEqual([
      'write',
      'run scripts',
      'publish',
      'delete',
    ]);
  });

  it.each([
    ['with another password', () => server.url.replace('//', '//reader:wrong@'), /WRONGPASS|password/i],
    ['that is not there', () => 'redis://127.0.0.1:1', /ECONNREFUSED/],
  ])('%s', async (_what, url, expected) => {
    expect(await look(url())).toEqual([expect.stringMatching(expected)]);
  });
});

describe('NATS', () => {
  let server: Server;
  beforeAll(async () => void (server = await startNats()), 60_000);
  afterAll(() => server?.stop());
  const look = async () => brief(await checkBus(readOptions({ HUB_URL, NATS_URL: server.url })));

  it('without the services', async () => {
    expect(await look()).toEqual([
      'fail there is no stream WARREN_EVENTS',
      ...['identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'].map((name) => `fail ${name} does not answer`),
      'warn a user may listen to calls that are not its own',
    ]);
  });

  it('that keeps events in memory', async () => {
    const connection = await connect({ servers: server.url });
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: 'WARREN_EVENTS', subjects: ['warren.events.>'], storage: StorageType.Memory });
    expect((await look())[0]).toBe('fail WARREN_EVENTS is kept in memory, 1 copy');
    await connection.close();
  });

  it('that is not there', async () => {
    const found = brief(await checkBus(readOptions({ HUB_URL, NATS_URL: 'nats://127.0.0.1:1' })));
    expect(found).toEqual([expect.stringMatching(/^fail .*(refused|CONNECTION)/i)]);
  });
});

describe('NATS with the accounts of production', () => {
  const users = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels', 'doctor'];
  let server: Server;
  beforeAll(async () => {
    const file = join(import.meta.dirname, '../../../helm/warren/files/nats-accounts.conf');
    const variables = Object.fromEntries(users.map((user) => [`NATS_PASSWORD_${user.toUpperCase()}`, `of-${user}`]));
    server = await startNats({}, { file, variables });
  });
  afterAll(() => server?.stop());
  const look = async (NATS_USER: string, NATS_PASSWORD = `of-${NATS_USER}`) =>
    brief(await checkBus(readOptions({ HUB_URL, NATS_URL: server.url, NATS_USER, NATS_PASSWORD })));

  it('lets the doctor look', async () => {
    const found = await look('doctor');
    expect(found[0]).toBe('fail there is no stream WARREN_EVENTS');
    expect(found.at(-1)).toBe('ok users have their own rights');
  });

  it('reports a refused user of a service', async () => {
    expect(await look('gateway')).toEqual(expect.arrayContaining([expect.stringMatching(/^warn .*permission/i)]));
  });

  it('refuses another password', async () => {
    expect(await look('doctor', 'wrong')).toEqual([expect.stringMatching(/^fail .*authorization/i)]);
  });
});

describe('NATS that asks for a certificate', () => {
  let folder: string;
  let server: Server;
  let files: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
    const authority = await makeAuthority(folder);
    const { cert, key } = await authority.issue('server', ['DNS:localhost', 'IP:127.0.0.1']);
    const own = await authority.issue('doctor', ['DNS:doctor']);
    files = { NATS_CA_FILE: authority.ca, NATS_CERT_FILE: own.cert, NATS_KEY_FILE: own.key };
    const file = join(folder, 'nats.conf');
    await writeFile(file, `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${authority.ca}", verify: true }`);
    server = await startNats({}, { file });
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const look = async (given: Record<string, string>) =>
    brief(await checkBus(readOptions({ HUB_URL, NATS_URL: server.url.replace('nats:', 'tls:'), ...given })));

  it('is reached with one', async () => {
    expect((await look(files))[0]).toBe('fail there is no stream WARREN_EVENTS');
  });

  it('is not reached without one', async () => {
    const { NATS_CA_FILE = '' } = files;
    expect(await look({ NATS_CA_FILE })).toEqual([expect.stringMatching(/^fail (timeout|.*certificate)/i)]);
  });
});

describe('PostgreSQL', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase('identity');
    folder = await mkdtemp(join(tmpdir(), 'warren-doctor-'));
    await mkdir(join(folder, 'identity/dist/migrations'), { recursive: true });
    const names = ['First1763596800000', 'Second1763683200000'];
    await Promise.all(
      names.map((name) => writeFile(join(folder, `identity/dist/migrations/${name}.js`), `export class ${name} {}`)),
    );
  });
  afterAll(async () => {
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });
  const look = async (url = database.url) => {
    const found = await checkDatabases(readOptions({ HUB_URL, IDENTITY_DATABASE_URL: url, SERVICES_DIR: folder }));
    return brief(found.filter(({ status }) => status !== 'skip'));
  };
  const sql = async (text: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(text);
    await client.end();
  };

  it('tells what has not run, what has, and what is newer', async () => {
    expect(await look()).toEqual(['fail identity: no migration has run']);
    await sql(
      `CREATE TABLE identity.migrations (name text); INSERT INTO identity.migrations VALUES ('First1763596800000')`,
    );
    expect(await look()).toEqual(['fail identity: 1 migrations have not run: Second1763683200000']);
    await sql(`INSERT INTO identity.migrations VALUES ('Second1763683200000')`);
    expect(await look()).toEqual(['ok identity: all 2 migrations have run']);
    await sql(`INSERT INTO identity.migrations VALUES ('Third1763769600000')`);
    expect(await look()).toEqual(['warn identity: Third1763769600000 is of a newer version']);
  });

  it('warns until the audit trail belongs to another role, and fails without its trigger', async () => {
    await sql(`CREATE TABLE identity.audit (id uuid);
      CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER audit_only_grows BEFORE DELETE ON audit EXECUTE FUNCTION audit_only_grows()`);
    const [, before] = await look();
    expect(before).toBe('warn identity: its role can change and drop the audit trail');
    await database.protectAudit();
    const [, after] = await look();
    expect(after).toBe('ok identity: its role can only append to the audit trail');
    await withClient(database.adminUrl, (client) => client.query('ALTER TABLE audit.audit DISABLE TRIGGER ALL'));
    const [, disabled] = await look();
    expect(disabled).toBe('fail identity: the audit trail has no trigger that refuses changes');
  });

  it('warns of a role that may do anything', async () => {
    expect((await look(database.adminUrl))[0]).toBe('warn identity: its role is a superuser');
  });

  it.each([
    ['with another password', () => database.url.replace(/:[^:@/]+@/, ':wrong@')],
    ['that is not there', () => 'postgres://a:b@127.0.0.1:1/warren'],
  ])('%s', async (_what, url) => {
    const [line = ''] = await look(url());
    expect(line).toMatch(/^fail identity: /);
    expect(line).not.toContain('wrong');
  });
});
