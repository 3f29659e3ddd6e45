import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { startRedis, userArguments } from '@warren/infra/redis';
import type { TestDatabase } from '@warren/infra/test-database';
import { BROKER } from '@warren/platform/broker/keys';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import { newEvent, type Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DevicesService } from '../src/devices/devices.service.ts';
import { ClonedDevices } from '../src/presence/clones.ts';
import { FactsService } from '../src/facts/facts.service.ts';
import { LeaseReader } from '../src/presence/lease.reader.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, facts, REDIS_USER, startAccounts, startDevices } from './devices.process.ts';
import { until } from '@warren/infra/until';

const FOREVER = 9_999_999_999_999;

describe('presence', () => {
  let database: TestDatabase;
  let dir: string;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let leases: Redis;
  let tenancy: INestApplicationContext;
  let app: INestApplicationContext;
  const acme = uuidv7();
  const doomed = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
  const heard: Event[] = [];

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'warren-devices-'));
    [database, nats, redis] = await Promise.all([
      devicesDatabase(),
      startNats({ dir }),
      startRedis({}, userArguments(REDIS_USER)),
    ]);
    leases = new Redis(redis.url, { maxRetriesPerRequest: null });
    leases.on('error', () => {});
    const names = new Map([
      [acme, 'Acme'],
      [doomed, 'Doomed'],
    ]);
    tenancy = await startAccounts(nats.url, names);
    await leases.zadd(BROKER.replicas, FOREVER, 'alive', FOREVER, 'other');
    app = await startDevices({ database: database.url, nats: nats.url, redis: redis.url });
    app.get(EventBus).listen((event) => heard.push(event));
  });

  afterAll(async () => {
    await app.close();
    await tenancy.close();
    leases.disconnect();
    await Promise.all([nats.stop(), redis.stop()]);
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  const publish = (event: Event) => app.get(EventBus).publish(event);
  const news = (replica: string, link: { deviceId: string; epoch: bigint; connected: boolean; publicIp?: string }) =>
    newEvent({ kind: { case: 'linksChanged', value: { replica, links: [{ ...link, at: timestampNow() }] } } });
  const hello = (deviceId: string, replica: string, epoch: bigint, publicIp = '') =>
    news(replica, { deviceId, epoch, publicIp, connected: true });
  const goodbye = (deviceId: string, replica: string, epoch: bigint) =>
    news(replica, { deviceId, epoch, connected: false });
  const at = ({ kind }: Event) => (kind.case === 'linksChanged' ? kind.value.links[0]?.at : undefined);
  const device = async (id: string) => (await app.get(DevicesService).get(superAdmin, { id })).device;
  const connected = async (id: string) => (await device(id)).connected === true;
  const told = (id: string) =>
    heard.filter(
      ({ kind }) =>
        (kind.case === 'deviceChanged' && kind.value.deviceId === id) ||
        (kind.case === 'devicesChanged' && kind.value.deviceIds.includes(id)),
    ).length;
  /** Events are handled and re-emitted in order, so all earlier ones are done once this one is. */
  const handled = async (accountId = acme) => {
    const fence = await enrolDevice(app, accountId);
    await publish(hello(fence, 'alive', 1n));
    await until(async () => (await connected(fence)) && told(fence) === 2);
  };

  it('follows links, reports each change once, and ignores repetitions', async () => {
    const id = await enrolDevice(app, acme);
    await until(() => told(id) === 1);
    const since = (await device(id)).statusSince;
    const event = hello(id, 'alive', 10n, '81.7.7.7');
    await publish(event);
    await until(() => connected(id));
    expect(await device(id)).toMatchObject({ publicIp: '81.7.7.7', statusSince: at(event) });
    expect((await device(id)).statusSince).not.toEqual(since);
    await publish(hello(id, 'alive', 10n, '81.7.7.7'));
    await handled();
    await until(() => told(id) === 2);
    await publish(goodbye(id, 'alive', 10n));
    await until(async () => !(await connected(id)));
    await until(() => told(id) === 3);
  });

  it("keeps a device connected when an older link's goodbye comes late", async () => {
    const id = await enrolDevice(app, acme);
    await publish(hello(id, 'alive', 20n));
    await publish(hello(id, 'other', 21n));
    await publish(goodbye(id, 'alive', 20n));
    await handled();
    expect(await connected(id)).toBe(true);
    expect(told(id)).toBe(2);
    await publish(goodbye(id, 'other', 21n));
    await publish(hello(id, 'other', 21n));
    await handled();
    expect(await connected(id)).toBe(false);
  });

  it('advances the reported uptime only while the device stays connected', async () => {
    const id = await enrolDevice(app, acme);
    const uptime = async () => Number((await device(id)).facts?.uptimeSeconds);
    const report = { deviceId: id, facts: facts({ uptimeSeconds: 1_000n }), publicIp: '', serial: '' };
    await publish(hello(id, 'alive', 25n));
    await until(() => connected(id));
    await app.get(FactsService).report(serviceCaller('tunnels'), { reports: [report] });
    const age = 'UPDATE device_facts SET reported = reported - $2::interval WHERE device_id = $1';
    await app.get(DataSource).query(age, [id, '100 s']);
    const since = 'UPDATE devices SET status_since = status_since - $2::interval WHERE id = $1';
    // Reported before the reconnect: the device may have rebooted since.
    expect(await uptime()).toBe(1_000);
    await app.get(DataSource).query(since, [id, '1 h']);
    expect(await uptime()).toBeGreaterThanOrEqual(1_100);
    await publish(goodbye(id, 'alive', 25n));
    await until(async () => !(await connected(id)));
    expect(await uptime()).toBe(1_000);
  });

  it('leaves devices that it does not know alone', async () => {
    await publish(hello(uuidv7(), 'alive', 30n));
    await publish(hello('not an id', 'alive', 30n));
    await handled();
  });

  describe('of a replica that dies', () => {
    it('ends when its lease does; other devices stay, and it may come back', async () => {
      const [lost, kept] = [await enrolDevice(app, acme), await enrolDevice(app, acme)];
      await leases.zadd(BROKER.replicas, FOREVER, 'dying');
      await publish(hello(lost, 'dying', 40n));
      await publish(hello(kept, 'alive', 41n));
      await until(async () => (await connected(lost)) && (await connected(kept)));
      await until(async () => (await app.get(LeaseReader).live()) !== undefined);
      const before = told(lost);
      await leases.zadd(BROKER.replicas, 1, 'dying');
      await until(async () => !(await connected(lost)));
      await until(() => told(lost) === before + 1);
      expect(await connected(kept)).toBe(true);
      await leases.zadd(BROKER.replicas, FOREVER, 'dying');
      await publish(hello(lost, 'dying', 42n));
      await until(() => connected(lost));
    });

    it('is not concluded from a Redis that is away or has come back empty', async () => {
      const [survivor, lost] = [await enrolDevice(app, acme), await enrolDevice(app, acme)];
      await leases.zadd(BROKER.replicas, FOREVER, 'doomed');
      await publish(hello(survivor, 'alive', 50n));
      await publish(hello(lost, 'doomed', 51n));
      await until(async () => (await connected(survivor)) && (await connected(lost)));
      await redis.kill();
      await until(async () => (await app.get(LeaseReader).live()) === undefined);
      await redis.start();
      // The replica that lives renews its lease a moment later, as replicas do every second; the other never does.
      expect(await leases.exists(BROKER.replicas)).toBe(0);
      await until(async () => (await leases.info('commandstats')).includes('cmdstat_zrangebyscore'));
      const away = told(survivor);
      await leases.zadd(BROKER.replicas, FOREVER, 'alive', FOREVER, 'other');
      await until(async () => !(await connected(lost)));
      expect(await connected(survivor)).toBe(true);
      expect(told(survivor)).toBe(away);
    });
  });

  it('reports a second machine with the same identity once, and forgets it after silence', async () => {
    const id = await enrolDevice(app, acme);
    await until(() => told(id) === 1);
    const cloned = newEvent({ accountId: acme, kind: { case: 'deviceCloned', value: { deviceId: id } } });
    await publish(cloned);
    await publish({ ...cloned, id: uuidv7() });
    await until(async () => (await device(id)).cloned === true);
    await handled();
    expect(told(id)).toBe(2);
    await app.get(ClonedDevices).forget();
    expect((await device(id)).cloned).toBe(true);
    await app.get(ClonedDevices).forget('0 seconds');
    expect((await device(id)).cloned).toBe(false);
    await until(() => told(id) === 3);
  });

  describe('of a bus that was away', () => {
    it('catches up with what happened meanwhile', async () => {
      const id = await enrolDevice(app, acme);
      await until(() => told(id) === 1);
      await nats.kill();
      await expect(publish(hello(id, 'alive', 60n))).rejects.toMatchObject({ code: 'unavailable' });
      await nats.start();
      await until(async () => {
        await publish(hello(id, 'alive', 60n));
        return true;
      });
      await until(() => connected(id));
      await until(() => told(id) >= 2);
      // Tenancy has a separate connection; the account is not cached yet.
      await until(() => enrolDevice(app, doomed));
    });
  });

  describe('of accounts', () => {
    const changed = (id: string, name: string, active: boolean) =>
      newEvent({ accountId: id, kind: { case: 'accountChanged', value: { accountId: id, name, active } } });

    it('takes over names and states, and nothing that is older', async () => {
      const id = await enrolDevice(app, acme);
      const old = changed(acme, 'Old', true);
      await publish(changed(acme, 'Acme Ltd', false));
      await publish({ ...old, time: { ...old.time!, seconds: 1n } });
      await handled(doomed);
      expect(await device(id)).toMatchObject({ accountName: 'Acme Ltd' });
      const token = app.get(TokensService).create(superAdmin, { accountId: acme, uses: 1 });
      await expect(token).rejects.toMatchObject({ code: 'failed_precondition', message: /Acme Ltd/ });
      await publish(changed(acme, 'Acme', true));
      await until(async () => (await device(id)).accountName === 'Acme');
    });

    it('removes the devices of a deleted account, and accepts none again', async () => {
      const ids = [await enrolDevice(app, doomed), await enrolDevice(app, doomed)];
      const { token } = await app
        .get(TokensService)
        .issue(serviceCaller('devices'), { accountId: doomed, uses: 1, createdBy: null });
      const deletion = newEvent({
        accountId: doomed,
        kind: { case: 'accountDeleted', value: { accountId: doomed } },
      });
      await publish(deletion);
      await publish(changed(doomed, 'Risen', true));
      const gone = () => heard.flatMap(({ kind }) => (kind.case === 'deviceDeleted' ? [kind.value.deviceId] : []));
      await until(() => ids.every((id) => gone().includes(id)));
      for (const id of ids) await expect(device(id)).rejects.toMatchObject({ code: 'not_found' });
      await handled();
      await expect(enrolDevice(app, doomed)).rejects.toMatchObject({ code: 'not_found' });
      const source = app.get(DataSource);
      expect(await source.query('SELECT FROM enrolment_tokens WHERE account_id = $1', [doomed])).toEqual([]);
      expect(await source.query('SELECT deleted, name FROM accounts WHERE id = $1', [doomed])).toEqual([
        { deleted: true, name: 'Doomed' },
      ]);
      expect(token).toBeTruthy();
    });
  });
});
