import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { freePort } from '@warren/infra/ports';
import { ServiceProcess } from '@warren/infra/service.process';
import { until } from '@warren/infra/until';
import { sessionKey } from '@warren/platform/broker/keys';
import { commonConfig } from '@warren/platform/config/common';
import { EventBus } from '@warren/platform/events/event.bus';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import type { RpcClient } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { Redis } from 'ioredis';
import { join } from 'node:path';
import { gateway, signInRequest, startServers } from './identity.process.ts';

const identity = new ServiceProcess('identity', join(import.meta.dirname, 'fault.preload.ts'));
const PATIENCE_MS = 60_000;
/** Steps of a change at which its process is killed. */
const STEPS = [
  'before it is stored',
  'after it is stored',
  'before it is published',
  'before it leaves the outbox',
] as const;

let servers: Awaited<ReturnType<typeof startServers>>;
let redis: Redis;
let bus: INestApplicationContext;
let client: RpcClient<typeof IdentityService>;
/** Audit events by id: `action e-mail`. */
const events = new Map<string, string>();

beforeAll(async () => {
  identity.build();
  servers = await startServers();
  redis = new Redis(servers.adminRedisUrl);
  const { NATS_URL } = servers.environment;
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL });
  class GatewayModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'gateway', config })] })(GatewayModule);
  bus = await NestFactory.createApplicationContext(GatewayModule, { logger: false, abortOnError: false });
  client = createRpcClient(IdentityService, bus.get(NatsTransport));
  bus.get(EventBus).listen(({ id, kind }) => {
    if (kind.case === 'audit') events.set(id, `${kind.value.action} ${kind.value.actor?.email}`);
  });
});
afterAll(async () => {
  await identity.kill('SIGKILL');
  redis?.disconnect();
  await bus?.close();
  await servers?.stop();
});

/** Starts it. @param fault where it kills itself, and the action of the event */
async function start(fault?: { step: string; action: string }): Promise<void> {
  const port = String(await freePort('127.0.0.1'));
  const env = { PATH: process.env['PATH'], ...servers.environment, OPS_PORT: port };
  await identity.start({ ...env, ...(fault && { FAULT: fault.step, ACTION: fault.action }) });
}

const countOf = (event: string) => [...events.values()].filter((one) => one === event).length;
/** How many sessions Redis has. */
const sessions = async () => (await redis.keys(sessionKey('*'))).length;

describe('a change in Redis and its audit event', () => {
  it('are both there or both missing, whichever step of a sign-in its process is killed at', async () => {
    const wanted: Record<string, number> = {};
    for (const step of STEPS) {
      const request = signInRequest();
      const before = await sessions();
      await start({ step, action: 'session.sign_in' });
      void client.signIn(gateway, request).catch(() => {});
      expect(await identity.ended()).toBe('SIGKILL');
      const added = (await sessions()) - before;
      expect([step, added]).toEqual([step, step === 'before it is stored' ? 0 : 1]);
      wanted[`session.sign_in ${request.saml?.email}`] = added;
    }
    await expectEvents(wanted);
  });

  it('are both there or both missing, whichever step of a sign-out its process is killed at', async () => {
    const wanted: Record<string, number> = {};
    for (const step of STEPS.slice(1)) {
      const request = signInRequest();
      await start({ step, action: 'session.sign_out' });
      const { session } = await client.signIn(gateway, request);
      const before = await sessions();
      void client.signOut(gateway, { session }).catch(() => {});
      expect(await identity.ended()).toBe('SIGKILL');
      expect([step, before - (await sessions())]).toEqual([step, 1]);
      wanted[`session.sign_out ${request.saml?.email}`] = 1;
    }
    await expectEvents(wanted);
  });
});

/** Starts a process without a fault, which publishes what the others have left. */
async function expectEvents(wanted: Readonly<Record<string, number>>): Promise<void> {
  const found = () => Object.fromEntries(Object.keys(wanted).map((event) => [event, countOf(event)]));
  await start();
  await until(async () => (await redis.hlen('identity:events:waiting')) === 0, PATIENCE_MS);
  expect(found()).toEqual(wanted);
  await identity.kill('SIGTERM');
}
