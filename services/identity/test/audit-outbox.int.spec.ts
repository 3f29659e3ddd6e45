import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { commonConfig } from '@warren/platform/config/common';
import { encoded, waitingKey } from '@warren/platform/events/redis.outbox';
import { EventBus } from '@warren/platform/events/event.bus';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { AuditService, type FormerRow } from '@warren/proto/audit/v1/audit';
import { Role } from '@warren/proto/common/v1/common';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { FORMER_WAITING, FormerTrail } from '../src/audit/former.trail.ts';
import { gateway, startIdentity, tunnels, type IdentityProcess } from './identity.process.ts';
import { until } from '@warren/infra/until';

let identity: IdentityProcess;
let audit: INestApplicationContext;
/** What the audit service was given. */
let imported: FormerRow[] = [];

beforeAll(async () => {
  identity = await startIdentity();
  audit = await startAudit(identity.natsUrl);
});
afterAll(async () => {
  await audit?.close();
  await identity?.stop();
});

function startAudit(natsUrl: string): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'audit', config })] })(ProcessModule);
  return NestFactory.create(ProcessModule, { logger: false, abortOnError: false }).then((app) => {
    const handlers: Partial<RpcHandlers<typeof AuditService>> = {
      importEvents: async (_caller, { rows }) => (imported.push(...rows), {}),
    };
    app.get(RpcServer).serve(AuditService, handlers as RpcHandlers<typeof AuditService>);
    return app.init();
  });
}

function request(email: string) {
  const user = {
    userId: randomUUID(),
    email,
    name: 'Ada',
    accountId: randomUUID(),
    role: Role.MEMBER,
    operator: false,
  };
  return { user, deviceId: randomUUID(), deviceAccountId: randomUUID(), purpose: SocketPurpose.TERMINAL };
}

const someone = () => `${randomUUID()}@example.com`;
const eventsOf = (email: string) => identity.audit().filter(({ actor }) => actor === email);
const waiting = () => identity.redis.hlen(waitingKey('identity'));

describe('audit events that wait in Redis', () => {
  it('are published moments later, once each, for the account of the device', async () => {
    const email = someone();
    const wanted = request(email);
    const { token } = await identity.client.createSocketToken(gateway, wanted);
    await identity.client.redeemSocketToken(tunnels, { token, userId: wanted.user.userId, purpose: wanted.purpose });
    await until(async () => eventsOf(email).length === 2 && (await waiting()) === 0);
    const [account, target] = [wanted.deviceAccountId, wanted.deviceId];
    expect(eventsOf(email)).toMatchObject([
      { action: 'socket_token.issue', account, target },
      { action: 'socket_token.redeem', account, target },
    ]);
  });

  it('are published for processes that died, however many they left', async () => {
    const email = someone();
    const left = Array.from({ length: 1_500 }, () => {
      const event = auditEvent(gateway, { action: 'socket_token.issue', accountId: '', actor: { email } });
      return { ...event, id: uuidv7({ msecs: Date.now() - 60_000 }) };
    });
    await identity.redis.hset(
      waitingKey('identity'),
      Object.fromEntries(left.map((event) => [event.id, encoded(event)])),
    );
    await until(async () => eventsOf(email).length === left.length && (await waiting()) === 0);
  });

  it('wait while the bus takes none', async () => {
    const bus = identity.app.get(EventBus);
    const publish = bus.publishBytes;
    bus.publishBytes = () => Promise.reject(new Error('down'));
    const email = someone();
    try {
      await identity.client.createSocketToken(gateway, request(email));
      await until(async () => (await waiting()) === 1);
    } finally {
      bus.publishBytes = publish;
    }
    await until(async () => eventsOf(email).length === 1 && (await waiting()) === 0);
  });
});

describe('the former audit trail', () => {
  const insert = (id: string, actor: string) =>
    identity.sql(`INSERT INTO audit (id, time, action, actor, detail, remote_address, user_agent)
      VALUES ('${id}', now(), 'sign_in', '${actor}', 'default', '192.0.2.7', 'a browser')`);

  it('is handed over, with what replicas of 0.1 still write and park', async () => {
    const trail = identity.app.get(FormerTrail);
    const email = someone();
    for (let count = 0; count < 3; count++) await insert(uuidv7({ msecs: Date.now() - 90_000_000 + count }), email);
    const parked = { id: uuidv7(), time: new Date().toISOString(), action: 'socket_token_issued', actor: email };
    const texts = { detail: 'terminal x', remote_address: '', user_agent: '' };
    await identity.redis.hset(FORMER_WAITING, parked.id, JSON.stringify({ ...parked, ...texts }));
    await trail.handOver();
    expect(imported.filter(({ actor }) => actor === email)).toHaveLength(4);
    expect(imported.find(({ id }) => id === parked.id)?.time).toMatchObject({ seconds: expect.any(BigInt) });
    expect(await identity.redis.hlen(FORMER_WAITING)).toBe(0);
    // Rows of the last hour come again: their ids are not the order in which they were written.
    imported = [];
    await insert(uuidv7({ msecs: Date.now() - 60_000 }), email);
    await trail.handOver();
    const [row, ...others] = imported.filter(({ actor }) => actor === email);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ action: 'sign_in', detail: 'default', remoteAddress: '192.0.2.7' });
    expect(row?.time && Math.abs(timestampDate(row.time).getTime() - Date.now())).toBeLessThan(60_000);
  });
});
