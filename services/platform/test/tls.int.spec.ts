import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { makeAuthority, type Authority, type Certificate } from '@warren/infra/certificates';
import { startNats } from '@warren/infra/nats';
import { freePort } from '@warren/infra/ports';
import { startPostgres } from '@warren/infra/postgres';
import { startRedis } from '@warren/infra/redis';
import type { Server } from '@warren/infra/server';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { DataSource } from 'typeorm';
import { databaseConfig, redisConfig } from '../src/config/common.ts';
import { dataSourceOptions } from '../src/database/database.options.ts';
import { databaseServer } from '../src/database/database.server.ts';
import { natsServers } from '../src/nats/nats.servers.ts';
import { RedisServer } from '../src/redis/redis.server.ts';

/** Each server has a certificate of a private authority: only clients with that authority connect. */
let folder: string;
let authority: Authority;
let certificate: Certificate;
let foreign: Authority;

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(join(tmpdir(), 'warren-tls-'));
  authority = await makeAuthority(folder);
  certificate = await authority.issue('server', ['DNS:localhost', 'IP:127.0.0.1']);
  const elsewhere = await mkdtemp(join(folder, 'foreign-'));
  foreign = await makeAuthority(elsewhere);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('PostgreSQL by TLS', () => {
  let server: Server;
  beforeAll(async () => void (server = await startPostgres({}, certificate)));
  afterAll(() => server?.stop());

  const encrypted = async (ca: string): Promise<unknown> => {
    const config = databaseConfig.parse({ DATABASE_URL: server.url, DATABASE_CA_FILE: ca, DATABASE_POOL: 1 });
    const options = { name: 'public', entities: [], migrations: [], ...databaseServer(config) };
    const source = await new DataSource(dataSourceOptions(options)).initialize();
    try {
      const [row] = await source.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return row.ssl;
    } finally {
      await source.destroy();
    }
  };

  it('is encrypted, and the server known by its authority', async () => {
    await expect(encrypted(authority.ca)).resolves.toBe(true);
  });

  it('does not talk to a server of a foreign authority', async () => {
    await expect(encrypted(foreign.ca)).rejects.toThrow(/certificate|verify/i);
  });
});

describe('Redis by TLS', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const port = await freePort('127.0.0.1');
    const { cert, key } = certificate;
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.ca];
    const user = ['--user', 'warren', 'on', '>a/b%@c', '~*', '&*', '+@all'];
    server = await startRedis({}, ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files, ...user]);
    url = `rediss://127.0.0.1:${port}/3`;
  });
  afterAll(() => server?.stop());

  const ping = async (ca: string, password = 'a/b%@c'): Promise<unknown> => {
    const config = redisConfig.parse({
      REDIS_URL: url,
      REDIS_CA_FILE: ca,
      REDIS_USER: 'warren',
      REDIS_PASSWORD: password,
    });
    const client = new RedisServer(config).connect({
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
      lazyConnect: true,
    });
    let problem: Error | undefined;
    client.on('error', (error) => (problem ??= error));
    try {
      await client.connect();
      return await client.client('INFO');
    } catch (error) {
      throw problem ?? error;
    } finally {
      client.disconnect();
    }
  };

  it('is encrypted, with a password as it is and the database of the address', async () => {
    await expect(ping(authority.ca)).resolves.toMatch(/ db=3 .* user=warren /);
  });

  it('does not talk to a server of a foreign authority, nor with a wrong password', async () => {
    await expect(ping(foreign.ca)).rejects.toThrow(/certificate|verify/i);
    await expect(ping(authority.ca, 'wrong')).rejects.toThrow(/WRONGPASS|NOAUTH/);
  });
});

describe('NATS by TLS', () => {
  let server: Server;
  beforeAll(async () => {
    const file = join(folder, 'nats.conf');
    const tls = `cert_file: "${certificate.cert}", key_file: "${certificate.key}", ca_file: "${authority.ca}", verify: true`;
    await writeFile(file, `tls { ${tls} }\nauthorization { user: "devices", password: "it's \\"secret\\"" }\n`);
    server = await startNats({}, { file });
  });
  afterAll(() => server?.stop());

  const serverId = async (ca: string, password = `it's "secret"`): Promise<string | undefined> => {
    const own = await authority.issue('devices', ['DNS:devices']);
    const connection = await connect({
      ...natsServers({
        NATS_URL: server.url.replace('nats:', 'tls:'),
        NATS_USER: 'devices',
        NATS_PASSWORD: password,
        NATS_CA_FILE: ca,
        NATS_CERT_FILE: own.cert,
        NATS_KEY_FILE: own.key,
      }),
      maxReconnectAttempts: 0,
    });
    try {
      await connection.flush();
      return connection.info?.server_id;
    } finally {
      await connection.close();
    }
  };

  it('connects with its authority, a client certificate and a password', async () => {
    await expect(serverId(authority.ca)).resolves.toMatch(/^N/);
  });

  it('does not talk to a server of a foreign authority, nor with a wrong password', async () => {
    await expect(serverId(foreign.ca)).rejects.toThrow();
    await expect(serverId(authority.ca, 'wrong')).rejects.toThrow(/auth/i);
  });
});
