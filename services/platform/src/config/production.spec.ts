import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { commonConfig, databaseConfig, deviceDomainSchema, originSchema, redisConfig } from './common.ts';
import { loadConfig } from './load.ts';

const schema = commonConfig.extend({
  ...redisConfig.shape,
  ...databaseConfig.shape,
  HUB_URL: originSchema.default('http://localhost:8080'),
  DEVICE_DOMAIN: deviceDomainSchema.default('devices.localhost:8080'),
  ADVERTISED_URL: originSchema.default('http://127.0.0.1:9090'),
  SMTP_URL: z.string().optional(),
  SIGNING_SECRET: z.string().optional(),
});
const OWN = 'f3a91c0e7d5b48a2';
const GOOD = {
  NODE_ENV: 'production',
  HUB_URL: 'https://hub.example.com',
  DEVICE_DOMAIN: 'devices.example.com',
  ADVERTISED_URL: 'http://10.0.0.7:9090',
  DATABASE_URL: `postgres://identity:${OWN}@db/warren`,
  REDIS_URL: `rediss://:${OWN}@redis:6379`,
  NATS_URL: `tls://identity:${OWN}@nats:4222`,
};
const load = (env: Record<string, string>) => loadConfig(schema, { ...GOOD, ...env });

/** The lines of the refusal. */
function refused(env: Record<string, string>): string[] {
  try {
    load(env);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
}

describe('production', () => {
  it.each<[string, Record<string, string>]>([
    ['good settings', {}],
    [
      'a server of this machine without a password',
      { REDIS_URL: 'redis://127.0.0.1:6379', NATS_URL: 'nats://[::1]:4222' },
    ],
    ['a token of NATS', { NATS_URL: `nats://${OWN}@nats:4222` }],
    ['credentials of NATS in a file', { NATS_URL: 'tls://nats:4222', NATS_CREDS_FILE: '/run/nats.creds' }],
    ['a password of PostgreSQL in the query', { DATABASE_URL: `postgres://db/warren?user=a&password=${OWN}` }],
    ['a certificate of the database', { DATABASE_URL: 'postgres://identity@db/warren?sslcert=/a.pem&sslkey=/b.pem' }],
    ['a mail server that asks for nothing', { SMTP_URL: 'smtp://mail:25' }],
    ['plain http that was allowed explicitly', { HUB_URL: 'http://hub.example.com', ALLOW_INSECURE_HTTP: 'true' }],
    ['several servers', { NATS_URL: `tls://a:${OWN}@nats-0:4222,tls://a:${OWN}@nats-1:4222` }],
  ])('takes %s', (_what, env) => {
    expect(refused(env)).toEqual([]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'plain http',
      { HUB_URL: 'http://hub.example.com' },
      /^HUB_URL: expected https in production .*"http:\/\/hub\.example\.com"/,
    ],
    ['no address of the hub', { HUB_URL: '' }, /^HUB_URL: expected the public address, .*not set/],
    ['no domain of device pages', { DEVICE_DOMAIN: '' }, /^DEVICE_DOMAIN: expected the domain .*not set/],
    [
      "device pages under the hub's name",
      { DEVICE_DOMAIN: 'example.com' },
      /^DEVICE_DOMAIN: expected a domain that the hub/,
    ],
    ['no address of the replica', { ADVERTISED_URL: '' }, /^ADVERTISED_URL: expected where gateways .*not set/],
    [
      'a default password',
      { DATABASE_URL: 'postgres://identity:postgres@db/warren' },
      /^DATABASE_URL: expected a password generated for it/,
    ],
    [
      "the user's name for a password",
      { DATABASE_URL: 'postgres://warren-identity:warren-identity@db/w' },
      /^DATABASE_URL: /,
    ],
    ['a short password', { REDIS_URL: 'redis://:a1b2c3@redis' }, /^REDIS_URL: .*fewer than 8 characters/],
    ['no password', { REDIS_URL: 'redis://redis:6379' }, /^REDIS_URL: .*none for redis/],
    ['no credentials', { NATS_URL: 'nats://nats:4222' }, /^NATS_URL: .*none for nats/],
    [
      'one server of several without',
      { NATS_URL: `tls://a:${OWN}@nats-0:4222,nats-1:4222` },
      /^NATS_URL: .*none for nats-1/,
    ],
    ['a default password for mail', { SMTP_URL: 'smtp://me:changeme@mail' }, /^SMTP_URL: expected a password/],
    ['a well-known secret', { SIGNING_SECRET: 'changeme' }, /^SIGNING_SECRET: expected a password/],
  ])('refuses %s', (_what, env, line) => {
    const lines = refused(env);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(line);
  });

  it('is what runs when NODE_ENV is not set', () => {
    expect(refused({ NODE_ENV: '', HUB_URL: 'http://hub.example.com' })).toHaveLength(1);
  });

  it('reports all problems at once, with wrong types, each variable once, and no secret', () => {
    const lines = refused({
      HUB_URL: 'http://hub.example.com',
      DATABASE_URL: 'mysql://root:hunter2@db',
      REDIS_URL: 'redis://:hunter2@redis',
      NATS_URL: 'nats://nats',
      OPS_PORT: 'ninety',
    });
    expect(lines.map((line) => line.split(':', 1)[0]).sort()).toEqual([
      'DATABASE_URL',
      'HUB_URL',
      'NATS_URL',
      'OPS_PORT',
      'REDIS_URL',
    ]);
    expect(lines.join()).not.toContain('hunter2');
  });

  it.each(['development', 'test'])('is not %s, which takes what is there', (NODE_ENV) => {
    expect(refused({ NODE_ENV, HUB_URL: '', DEVICE_DOMAIN: '', ADVERTISED_URL: '', NATS_URL: 'nats://nats' })).toEqual(
      [],
    );
  });
});
