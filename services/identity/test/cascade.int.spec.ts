import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { createTestDatabase, serviceUrl, type TestDatabase } from '@warren/infra/test-database';
import { commonConfig } from '@warren/platform/config/common';
import { migrate } from '@warren/platform/database/migrate';
import { newEvent, type Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { ServiceModule } from '@warren/platform/service/service.module';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { randomUUID } from 'node:crypto';
import { appModule } from '../src/app.module.ts';
import { identityConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';
import { gateway, signInRequest } from './identity.process.ts';
import { until } from '@warren/infra/until';

/** A process that is on the bus as tenancy is. */
function tenancyProcess(natsUrl: string): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'tenancy', config })] })(ProcessModule);
  return NestFactory.createApplicationContext(ProcessModule, { logger: false, abortOnError: false });
}

describe('people whose account ends', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let tenancy: INestApplicationContext;
  let identity: INestApplicationContext;

  beforeAll(async () => {
    [database, nats] = await Promise.all([createTestDatabase('identity'), startNats()]);
    await migrate(databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 }));
    tenancy = await tenancyProcess(nats.url);
    identity = await start();
  });

  afterAll(async () => {
    await identity?.close();
    await tenancy?.close();
    await nats?.stop();
    await database?.drop();
  });

  function start(): Promise<INestApplicationContext> {
    const config = identityConfig.parse({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      OPS_PORT: '0',
      NATS_URL: nats.url,
      DATABASE_URL: serviceUrl(database.url),
      REDIS_URL: process.env['TEST_REDIS_URL'],
    });
    return NestFactory.createApplicationContext(appModule(config), { logger: false, abortOnError: false });
  }

  const client = () => createRpcClient(IdentityService, identity.get(NatsTransport));
  const signIn = async (email: string) => (await client().signIn(gateway, signInRequest({ email }))).session;
  const isOpen = async (session: string) => {
    try {
      await client().getSession(gateway, { session });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === 'unauthenticated') return false;
      throw error;
    }
  };

  /** The events of tenancy when it disables or deletes an account of these people. */
  const told = (kind: 'userChanged' | 'userDeleted', emails: string[]): Event[] =>
    emails.map((email) => {
      const value = { userId: randomUUID(), email, ...(kind === 'userChanged' ? { active: false } : {}) };
      return newEvent({ accountId: randomUUID(), kind: { case: kind, value } as Event['kind'] });
    });

  let emails: string[];
  beforeEach(() => {
    emails = Array.from({ length: 50 }, () => `${randomUUID()}@acme.test`);
  });

  it.each(['userChanged', 'userDeleted'] as const)('are signed out, all fifty of them (%s)', async (kind) => {
    const sessions = await Promise.all(emails.map(signIn));
    const other = await signIn(`${randomUUID()}@zebra.test`);
    for (const event of told(kind, emails)) await tenancy.get(EventBus).publish(event);
    await until(async () => (await Promise.all(sessions.map(isOpen))).every((open) => !open));
    expect(await isOpen(other)).toBe(true);
  });

  it.each(['userChanged', 'userDeleted'] as const)(
    'are signed out when identity was down at the time and is started again (%s)',
    async (kind) => {
      const sessions = await Promise.all(emails.slice(0, 5).map(signIn));
      const other = await signIn(`${randomUUID()}@zebra.test`);
      await identity.close();
      for (const event of told(kind, emails.slice(0, 5))) await tenancy.get(EventBus).publish(event);
      identity = await start();
      await until(async () => (await Promise.all(sessions.map(isOpen))).every((open) => !open));
      expect(await isOpen(other)).toBe(true);
    },
  );
});
