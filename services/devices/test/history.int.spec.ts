import { create } from '@bufbuild/protobuf';
import { LinkChangeSchema } from '@warren/proto/events/v1/events';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { startRedis } from '@warren/infra/redis';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { BROKER } from '@warren/platform/broker/keys';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { ActivityKind, ActivityTopic, PresenceState } from '@warren/proto/devices/v1/devices';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AccountEvents } from '../src/accounts/account.events.ts';
import { DeviceManagementService } from '../src/devices/device-management.service.ts';
import { FactsService } from '../src/facts/facts.service.ts';
import { ActivityService } from '../src/activity/activity.service.ts';
import { HistoryKeeper } from '../src/activity/keeper.ts';
import { TrendService } from '../src/activity/trend.service.ts';
import { PresenceService } from '../src/presence/presence.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, facts, startAccounts, startDevices } from './devices.process.ts';

const FOREVER = 9_999_999_999_999;
const { ENROLLED, CONNECTED, DISCONNECTED, RENAMED, MOVED_IN, MOVED_OUT, DELETED } = ActivityKind;

describe('the history of devices', () => {
  let database: TestDatabase;
  let dir: string;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let leases: Redis;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  let epoch = 100n;
  const [acme, other] = [uuidv7(), uuidv7()];
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
  const member = user(acme, Role.MEMBER);

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'warren-devices-'));
    [database, nats, redis] = await Promise.all([devicesDatabase(), startNats({ dir }), startRedis()]);
    leases = new Redis(redis.url, { maxRetriesPerRequest: null });
    leases.on('error', () => {});
    await leases.zadd(BROKER.replicas, FOREVER, 'alive');
    const names = new Map([
      [acme, 'Acme'],
      [other, 'Other'],
    ]);
    tenancy = await startAccounts(nats.url, names);
    app = await startDevices({ database: database.url, nats: nats.url, redis: redis.url });
  });

  afterAll(async () => {
    await app.close();
    await tenancy.close();
    leases.disconnect();
    await Promise.all([nats.stop(), redis.stop()]);
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  const query = (sql: string, values: unknown[]) => app.get(DataSource).query<unknown[]>(sql, values);
  const news = ({ replica, ...link }: { deviceId: string; replica: string; epoch: bigint }, connected: boolean) => ({
    replica,
    links: [create(LinkChangeSchema, { ...link, connected })],
  });
  const connect = (deviceId: string, replica = 'alive') => {
    const value = { deviceId, replica, epoch: ++epoch };
    return app.get(PresenceService).changed(news(value, true));
  };
  const kinds = async (caller = superAdmin, accountId = '') =>
    ((await app.get(ActivityService).list(caller, { accountId, limit: 100 })).activity ?? []).map(({ kind }) => kind);
  const states = async (id: string, caller = superAdmin) =>
    ((await app.get(ActivityService).presence(caller, { id, hours: 24 })).spans ?? []).map(({ state }) => state);

  it('lists the events of a device with their actors, for its account only', async () => {
    const id = await enrolDevice(app, acme);
    await connect(id);
    const management = app.get(DeviceManagementService);
    await management.rename(superAdmin, { id, customName: 'Greenhouse' });
    const { activity = [] } = await app.get(ActivityService).list(member, { accountId: '', limit: 100 });
    expect(activity.map(({ kind }) => kind)).toEqual([RENAMED, CONNECTED, ENROLLED]);
    expect(activity[0]).toMatchObject({ deviceId: id, detail: 'Greenhouse', actor: 'Someone', accountName: 'Acme' });
    expect(await kinds(user(other, Role.OWNER))).toEqual([]);
    await management.move(superAdmin, { id, accountId: other });
    expect(await kinds(member)).toEqual([MOVED_OUT, RENAMED, CONNECTED, ENROLLED]);
    expect(await kinds(user(other, Role.OWNER))).toEqual([MOVED_IN]);
    await management.delete(superAdmin, { id });
    expect(await kinds(superAdmin, other)).toEqual([DELETED, MOVED_IN]);
    await expect(app.get(ActivityService).list(member, { accountId: other, limit: 5 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('lists the links that came and went, or all other events', async () => {
    const id = await enrolDevice(app, acme);
    await connect(id);
    await app.get(DeviceManagementService).rename(superAdmin, { id, customName: 'Orchard' });
    const about = async (topic: ActivityTopic) =>
      ((await app.get(ActivityService).list(member, { accountId: '', limit: 2, topic })).activity ?? []).map(
        ({ kind }) => kind,
      );
    expect((await about(ActivityTopic.LINKS))[0]).toBe(CONNECTED);
    expect(await about(ActivityTopic.CHANGES)).toEqual([RENAMED, ENROLLED]);
    await expect(about(9 as ActivityTopic)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it('lists the events of one device in a span, updates of its agent too, for its account only', async () => {
    const id = await enrolDevice(app, acme);
    await enrolDevice(app, acme);
    const report = (agentVersion: string) =>
      app.get(FactsService).report(serviceCaller('tunnels'), {
        reports: [{ deviceId: id, facts: facts({ agentVersion }), publicIp: '', serial: '' }],
      });
    await report('0.1.0');
    await report('0.2.0');
    await report('0.2.0');
    const now = Math.floor(Date.now() / 1_000);
    const events = (caller: Caller, from = now - 3_600, to = now + 60) =>
      app.get(ActivityService).events(caller, { id, from, to });
    const { activity = [] } = await events(member);
    expect(activity.map(({ kind, detail }) => [kind, detail])).toEqual([
      [ActivityKind.UPDATED, '0.2.0'],
      [ENROLLED, ''],
    ]);
    expect(await events(member, now - 7_200, now - 3_600)).toEqual({ activity: [] });
    await expect(events(user(other, Role.OWNER))).rejects.toMatchObject({ code: 'not_found' });
    await app.get(DeviceManagementService).delete(superAdmin, { id });
  });

  it('lists when a device was connected, also after its replica died, for its account only', async () => {
    const id = await enrolDevice(app, acme);
    await leases.zadd(BROKER.replicas, FOREVER, 'doomed');
    await connect(id, 'doomed');
    await leases.zrem(BROKER.replicas, 'doomed');
    await until(async () => (await states(id)).at(-1) === PresenceState.DISCONNECTED);
    const { spans = [] } = await app.get(ActivityService).presence(member, { id, hours: 24 });
    expect(spans.map(({ state }) => state)).toContain(PresenceState.CONNECTED);
    expect(spans[0]?.state).toBe(PresenceState.UNKNOWN);
    const length =
      timestampDate(spans.at(-1)?.to as never).getTime() - timestampDate(spans[0]?.from as never).getTime();
    expect(length).toBe(24 * 3_600_000);
    await expect(states(id, user(other, Role.OWNER))).rejects.toMatchObject({ code: 'not_found' });
    await expect(app.get(ActivityService).presence(member, { id, hours: 745 })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('keeps a trend for each account and for all, regardless of which replica samples', async () => {
    const id = await enrolDevice(app, other);
    await connect(id);
    await query('DELETE FROM device_counts', []);
    const trends = app.get(TrendService);
    await Promise.all([trends.sample(), trends.sample()]);
    await query(`UPDATE device_counts SET at = at - interval '1 hour'`, []);
    const { counts = [] } = await trends.trend(user(other, Role.MEMBER), { accountId: '', hours: 24 });
    expect(counts).toMatchObject([
      { total: 1, connected: 1 },
      { total: 1, connected: 1 },
    ]);
    const all = await trends.trend(superAdmin, { accountId: '', hours: 24 });
    expect(all.counts).toHaveLength(2);
    expect(all.counts?.[0]?.total).toBeGreaterThan(1);
    await expect(trends.trend(member, { accountId: other, hours: 24 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('deletes what is old, and what a deleted account leaves', async () => {
    await query(
      `INSERT INTO device_history (at, account_id, device_id, kind, device_name)
      SELECT now() - interval '32 days', $1, $2, 2, 'old' FROM generate_series(1, 5001)`,
      [acme, uuidv7()],
    );
    await app.get(HistoryKeeper).sweep();
    expect(await query(`SELECT 1 FROM device_history WHERE device_name = 'old'`, [])).toEqual([]);
    expect(await kinds(superAdmin, acme)).not.toEqual([]);
    await app.get(AccountEvents).deleted(acme);
    expect(await kinds(superAdmin, acme)).toEqual([]);
    expect(await query('SELECT 1 FROM device_counts WHERE account_id = $1', [acme])).toEqual([]);
  });

  it('reports a disconnect once', async () => {
    const id = await enrolDevice(app, other);
    await connect(id);
    const value = { deviceId: id, replica: 'alive', epoch };
    const presence = app.get(PresenceService);
    await presence.changed(news(value, false));
    await presence.changed(news(value, false));
    const { activity = [] } = await app.get(ActivityService).list(superAdmin, { accountId: other, limit: 100 });
    const mine = activity.filter(({ deviceId }) => deviceId === id);
    expect(mine.map(({ kind }) => kind)).toEqual([DISCONNECTED, CONNECTED, ENROLLED]);
  });
});
