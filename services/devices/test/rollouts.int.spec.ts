import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { startRedis } from '@warren/infra/redis';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { BROKER } from '@warren/platform/broker/keys';
import { commonConfig } from '@warren/platform/config/common';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { Role } from '@warren/proto/common/v1/common';
import { RolloutChange, RolloutDeviceState, RolloutState } from '@warren/proto/devices/v1/rollouts';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { Redis } from 'ioredis';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { RolloutsService } from '../src/rollouts/rollouts.service.ts';
import { user } from './callers.ts';
import { devicesDatabase, enrolDevice, facts, startAccounts, startDevices } from './devices.process.ts';

const REPLICA = 'replica-1';
type Offer = { device: string; version: string; back: boolean };

describe('rollouts', () => {
  let database: TestDatabase;
  let dir: string;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let tenancy: INestApplicationContext;
  let tunnels: INestApplicationContext;
  let app: INestApplicationContext;
  let rollouts: RolloutsService;
  let source: DataSource;
  const acme = uuidv7();
  const other = uuidv7();
  const superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
  /** What was offered, in its order, and what devices answer. */
  let offers: Offer[] = [];
  let answer: (offer: Offer) => { state: UpdateState; why?: string };

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'warren-rollouts-'));
    [database, nats, redis] = await Promise.all([devicesDatabase(), startNats({ dir }), startRedis()]);
    const leases = new Redis(redis.url);
    await leases.zadd(BROKER.replicas, 9_999_999_999_999, REPLICA);
    leases.disconnect();
    tenancy = await startAccounts(
      nats.url,
      new Map([
        [acme, 'Acme'],
        [other, 'Other'],
      ]),
    );
    tunnels = await startTunnels();
    app = await startDevices({ database: database.url, nats: nats.url, redis: redis.url });
    rollouts = app.get(RolloutsService);
    source = app.get(DataSource);
  });

  afterAll(async () => {
    await app.close();
    await Promise.all([tenancy.close(), tunnels.close()]);
    await Promise.all([nats.stop(), redis.stop()]);
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });

  beforeEach(async () => {
    offers = [];
    answer = () => ({ state: UpdateState.WORKING });
    await source.query(`UPDATE rollouts SET state = 'done'`);
    await source.query('DELETE FROM devices');
  });

  /** The replica that holds all devices, as far as offers go. */
  async function startTunnels(): Promise<INestApplicationContext> {
    const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: nats.url });
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'tunnels', config })] })(ProcessModule);
    const process = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
    const handlers: Partial<RpcHandlers<typeof TunnelsService>> = {
      offerUpdate: async (_caller, { deviceId, offer }) => {
        const made = { device: deviceId, version: offer?.version ?? '', back: offer?.back ?? false };
        offers.push(made);
        return { answer: answer(made) };
      },
    };
    process.get(RpcServer).serve(TunnelsService, handlers as RpcHandlers<typeof TunnelsService>, REPLICA);
    return process.init();
  }

  let serial = 0;
  async function fleet(count: number, accountId = acme, agentVersion = '0.1.0'): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made++)
      ids.push(await enrolDevice(app, accountId, { serial: `serial-${++serial}`, facts: facts({ agentVersion }) }));
    await source.query('UPDATE devices SET connected = true, connection_replica = $1 WHERE id = ANY($2::uuid[])', [
      ...[REPLICA, ids],
    ]);
    return ids;
  }

  const start = async (share = 100, accountId = acme, version = '0.2.0') =>
    (await rollouts.start(superAdmin, { version, accountId, share })).rollout?.id ?? '';
  const get = async (id: string) => ((await rollouts.list(superAdmin, {})).rollouts ?? []).find((one) => one.id === id);
  const change = (id: string, to: RolloutChange) => rollouts.apply(superAdmin, { id, change: to });
  const states = async (id: string) =>
    Object.fromEntries(
      ((await rollouts.devices(superAdmin, { id })).devices ?? []).map((one) => [one.deviceId, one.state]),
    ) as Record<string, RolloutDeviceState>;
  const soon = () => source.query('UPDATE rollout_devices SET asked = NULL');

  it('offer a version to the account that it is for, and are done when all have it', async () => {
    const mine = await fleet(3);
    const theirs = await fleet(1, other);
    const id = await start();
    await until(() => offers.length >= 3);
    expect(new Set(offers.map(({ device }) => device))).toEqual(new Set(mine));
    expect((await get(id))?.counts).toMatchObject({ waiting: 0, updating: 3 });
    answer = () => ({ state: UpdateState.DONE });
    await soon();
    await until(async () => (await get(id))?.state === RolloutState.DONE);
    expect((await get(id))?.counts).toMatchObject({ updated: 3 });
    expect(offers.some(({ device }) => theirs.includes(device))).toBe(false);
  });

  it('reach a share of the devices that stays the same, and more of them when it is raised', async () => {
    const ids = await fleet(12);
    const percents = await source.query<{ percent: number }[]>(
      'SELECT rollout_percent(id) AS percent FROM devices WHERE id = ANY($1::uuid[]) ORDER BY 1',
      [ids],
    );
    const share = (percents[5]?.percent ?? 0) + 1;
    const few = percents.filter(({ percent }) => percent < share).length;
    answer = () => ({ state: UpdateState.DONE });
    const id = await start(share);
    await until(async () => (await get(id))?.counts?.updated === few);
    await expect(rollouts.setShare(superAdmin, { id, share: share - 1 })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await rollouts.setShare(superAdmin, { id, share: 100 });
    await until(async () => (await get(id))?.counts?.updated === 12);
  });

  it('stop by themselves when too many devices fail, name why, and go on when a person says so', async () => {
    const ids = await fleet(4);
    answer = ({ device }) =>
      device === ids[3]
        ? { state: UpdateState.WORKING }
        : { state: UpdateState.FAILED, why: 'it did not reach the hub' };
    const id = await start();
    await until(async () => (await get(id))?.state === RolloutState.PAUSED);
    expect((await get(id))?.why).toBe('3 of 3 devices that tried it failed');
    const { devices } = await rollouts.devices(superAdmin, { id });
    expect(devices?.map(({ why }) => why)).toEqual([...Array<string>(3).fill('it did not reach the hub'), '']);
    const asked = offers.length;
    await fleet(1);
    await change(id, RolloutChange.RESUME);
    await until(() => offers.length > asked);
    // Those that failed are not offered it again.
    expect(offers.slice(asked).every(({ device }) => !ids.slice(0, 3).includes(device))).toBe(true);
    expect((await get(id))?.state).toBe(RolloutState.RUNNING);
  });

  it('wait for open terminals, and give up after a day without blaming the version', async () => {
    const [device = ''] = await fleet(1);
    answer = () => ({ state: UpdateState.WAITING });
    const id = await start();
    await until(async () => (await get(id))?.counts?.busy === 1);
    await source.query(`UPDATE rollout_devices SET since = now() - interval '25 hours'`);
    await until(async () => (await states(id))[device] === RolloutDeviceState.FAILED);
    const { devices = [] } = await rollouts.devices(superAdmin, { id });
    expect(devices[0]?.why).toBe('its terminals stayed open for 24 hours');
    const [row] = await source.query<{ blamed: boolean }[]>(
      'SELECT blamed FROM rollout_devices WHERE rollout_id = $1',
      [id],
    );
    expect(row?.blamed).toBe(false);
  });

  it('call a device lost that does not come back, and ask it when it does', async () => {
    const [device = ''] = await fleet(1);
    const id = await start();
    await until(() => offers.length > 0);
    await source.query(`UPDATE devices SET connected = false, status_since = now() - interval '11 minutes'`);
    await until(async () => (await states(id))[device] === RolloutDeviceState.FAILED);
    answer = () => ({ state: UpdateState.DONE });
    await source.query(`UPDATE devices SET connected = true, status_since = now()`);
    await source.query(`UPDATE rollouts SET state = 'running' WHERE id = $1`, [id]);
    await until(async () => (await states(id))[device] === RolloutDeviceState.UPDATED);
  });

  it('offer nothing while they are paused, and send devices back when they are rolled back', async () => {
    const [first = ''] = await fleet(1);
    answer = () => ({ state: UpdateState.DONE });
    const id = await start(100, '');
    await until(async () => (await get(id))?.counts?.updated === 1);
    await source.query('UPDATE devices SET agent_version = $1', ['0.2.0']);
    await source.query(`UPDATE rollouts SET state = 'paused' WHERE id = $1`, [id]);
    const [second = ''] = await fleet(1);
    offers = [];
    await change(id, RolloutChange.ROLL_BACK);
    await until(async () => (await states(id))[first] === RolloutDeviceState.RETURNED);
    expect(offers).toEqual([{ device: first, version: '0.1.0', back: true }]);
    expect((await states(id))[second]).toBeUndefined();
    expect((await get(id))?.state).toBe(RolloutState.ROLLED_BACK);
    await expect(change(id, RolloutChange.RESUME)).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it('never offer a device a version that is older than its own', async () => {
    const [device = ''] = await fleet(1, acme, '0.10.0');
    const id = await start(100, acme, '0.9.0');
    await until(async () => (await states(id))[device] === RolloutDeviceState.NEWER);
    await until(async () => (await get(id))?.state === RolloutState.DONE);
    expect(offers).toEqual([]);
  });

  it('are one at a time for a device', async () => {
    await fleet(1);
    await start(1);
    await expect(start(1, '')).rejects.toMatchObject({ code: 'failed_precondition' });
    await expect(start(1, other)).resolves.toBeDefined();
  });

  it('count the versions that devices run, newest first', async () => {
    await fleet(2, acme, '0.9.0');
    await fleet(1, other, '0.10.0');
    expect((await rollouts.versions(superAdmin, { accountId: '' })).versions).toEqual([
      { version: '0.10.0', devices: 1, connected: 1 },
      { version: '0.9.0', devices: 2, connected: 2 },
    ]);
    expect((await rollouts.versions(superAdmin, { accountId: acme })).versions).toHaveLength(1);
  });

  it.each([Role.OWNER, Role.ADMIN, Role.MEMBER])('are nothing for role %s', async (role) => {
    const caller = user(acme, role);
    const denied = { code: 'permission_denied' };
    await expect(rollouts.list(caller, {})).rejects.toMatchObject(denied);
    await expect(rollouts.versions(caller, { accountId: acme })).rejects.toMatchObject(denied);
    await expect(rollouts.start(caller, { version: '1.0.0', accountId: acme, share: 1 })).rejects.toMatchObject(denied);
    await expect(rollouts.apply(caller, { id: uuidv7(), change: RolloutChange.PAUSE })).rejects.toMatchObject(denied);
  });
});
