import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import type { AuditEvent, AuditOutcome } from '@warren/proto/audit/v1/audit';
import 'reflect-metadata';
import { create } from '@bufbuild/protobuf';
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { startNats } from '@warren/infra/nats';
import { startRedis, urlOfUser, userArguments } from '@warren/infra/redis';
import { createTestDatabase, serviceUrl } from '@warren/infra/test-database';
import { migrate } from '@warren/platform/database/migrate';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, SignInRequestSchema, type SignInRequest } from '@warren/proto/identity/v1/identity';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { appModule } from '../src/app.module.ts';
import { identityConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';

const USER = userArguments({ name: 'identity', rules: redisRules('identity') });
export const gateway = serviceCaller('gateway');
export const tunnels = serviceCaller('tunnels');

/** What the service seals its sessions with. */
export const SESSION_KEY = 'the-key-of-these-tests-and-of-no-others';

/** An audit event as far as these tests look. */
interface PublishedEvent {
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  action: string;
  /** E-mail address. */
  actor: string;
  account: string;
  target: string;
  reason: string;
  outcome: AuditOutcome;
  address: string;
}

/** A running identity service over real PostgreSQL, Redis and NATS. */
export interface IdentityProcess {
  app: INestApplicationContext;
  client: RpcClient<typeof IdentityService>;
  /** As an administrator; the service has its own user. */
  redis: Redis;
  /** The audit events that it has published, in the order of their ids. */
  audit(): PublishedEvent[];
  sql(text: string): Promise<unknown>;
  natsUrl: string;
  /** Starts another process of the same service; the caller closes it. */
  replica(): Promise<INestApplicationContext>;
  stop(): Promise<void>;
}

interface Options {
  /** Further variables of the environment. */
  environment?: Record<string, string>;
  /** Seconds. */
  idle?: number;
  absolute?: number;
}

/**
 * Starts separate servers: test files run in parallel, and processes that share a bus or a Redis are replicas of one service.
 * They would answer each other's calls and write each other's audit events, each into the database of another file.
 * @returns the environment of an identity service on them
 */
export async function startServers() {
  const [database, nats, redis] = await Promise.all([
    createTestDatabase('identity'),
    startNats(),
    startRedis({}, USER),
  ]);
  const environment = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    OPS_PORT: '0',
    NATS_URL: nats.url,
    REDIS_URL: urlOfUser(redis.url, 'identity'),
    DATABASE_URL: serviceUrl(database.url),
    SESSION_KEY,
  };
  await migrate(databaseOptions({ ...identityConfig.parse(environment), DATABASE_URL: database.url }));
  await database.protectAudit();
  const stop = () => Promise.all([nats.stop(), redis.stop(), database.drop()]);
  return { environment, stop, adminRedisUrl: redis.url };
}

/** Starts an identity service in this process. */
export async function startIdentity(options: Options = {}): Promise<IdentityProcess> {
  const { environment, stop, adminRedisUrl } = await startServers();
  const config = identityConfig.parse({
    ...environment,
    ...options.environment,
    ...(options.idle ? { SESSION_IDLE_SECONDS: options.idle } : {}),
    ...(options.absolute ? { SESSION_ABSOLUTE_SECONDS: options.absolute } : {}),
  });
  const start = async () => {
    const process = await Test.createTestingModule({ imports: [appModule(config)] }).compile();
    process.useLogger(false);
    return process.init();
  };
  const app = await start();
  const source = app.get(DataSource);
  const published = new Map<string, PublishedEvent>();
  app.get(EventBus).listen((event) => {
    if (event.kind.case === 'audit') published.set(event.id, publishedOf(event, event.kind.value));
  });
  await app.get(NatsLink).connection.flush();
  const admin = new Redis(adminRedisUrl);
  return {
    app,
    client: createRpcClient(IdentityService, app.get(NatsTransport)),
    redis: admin,
    audit: () => [...published.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    sql: (text) => source.query(text),
    natsUrl: environment.NATS_URL,
    replica: start,
    stop: async () => {
      admin.disconnect();
      await app.close();
      await stop();
    },
  };
}

function publishedOf(
  { id, time, accountId: account }: Event,
  { action, actor, target, reason, outcome, origin }: AuditEvent,
) {
  return {
    id,
    time: time ? timestampMs(time) : 0,
    action,
    actor: actor?.email ?? '',
    account,
    target: target?.id ?? '',
    reason,
    outcome,
    address: origin?.address ?? '',
  };
}

/** A sign-in of a unique user with a unique assertion. */
export function signInRequest(more: { email?: string; nameId?: string; sessionIndex?: string } = {}): SignInRequest {
  const email = more.email ?? `${randomUUID()}@example.com`;
  return create(SignInRequestSchema, {
    saml: {
      provider: 'default',
      nameId: more.nameId ?? email,
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      sessionIndex: more.sessionIndex ?? randomUUID(),
      email,
      name: 'Ada Example',
    },
    assertionId: `_${randomUUID()}`,
    assertionExpires: timestampFromMs(Date.now() + 60_000),
    remoteAddress: '192.0.2.7',
    userAgent: 'a browser',
  });
}
