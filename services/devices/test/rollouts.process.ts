import type { INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { startRedis } from '@warren/infra/redis';
import { BROKER } from '@warren/platform/broker/keys';
import { commonConfig } from '@warren/platform/config/common';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { Role } from '@warren/proto/common/v1/common';
import type { RolloutChange, RolloutDeviceState } from '@warren/proto/devices/v1/rollouts';
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
/** An offer as a device gets it; `name` is what an agent knows it by. */
export type Offer = { name: string; device: string; version: string; back: boolean };

/** The devices service, and a replica of tunnels that holds all devices, as far as offers go. */
export class RolloutWorld {
  readonly acme = uuidv7();
  readonly other = uuidv7();
  readonly superAdmin = user(uuidv7(), Role.SUPER_ADMIN, true);
  readonly rollouts: RolloutsService;
  readonly source: DataSource;
  /** What was offered, in its order, and what devices answer. */
  offers: Offer[] = [];
  answer: (offer: Offer) => { state: UpdateState; why?: string; crashes?: number; downloaded?: bigint } = () => ({
    state: UpdateState.WORKING,
  });
  readonly app: INestApplicationContext;
  private readonly ending: () => Promise<void>;
  private serial = 0;

  private constructor(app: INestApplicationContext, stop: () => Promise<void>) {
    this.app = app;
    this.ending = stop;
    this.rollouts = app.get(RolloutsService);
    this.source = app.get(DataSource);
  }

  /** @param trial how long the hub has devices on trial, in seconds; `null`: as it is installed */
  static async start(trial: number | null = 0): Promise<RolloutWorld> {
    const dir = await mkdtemp(join(tmpdir(), 'warren-rollouts-'));
    const [database, nats, redis] = await Promise.all([devicesDatabase(), startNats({ dir }), startRedis()]);
    const leases = new Redis(redis.url);
    await leases.zadd(BROKER.replicas, 9_999_999_999_999, REPLICA);
    leases.disconnect();
    const accounts = new Map<string, string>();
    const tenancy = await startAccounts(nats.url, accounts);
    const urls = { database: database.url, nats: nats.url, redis: redis.url };
    const app = await startDevices(trial === null ? urls : { ...urls, trial });
    const world = new RolloutWorld(app, async () => {
      await app.close();
      await Promise.all([tenancy.close(), tunnels.close()]);
      await Promise.all([nats.stop(), redis.stop()]);
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    });
    const tunnels = await startTunnels(nats.url, world);
    accounts.set(world.acme, 'Acme').set(world.other, 'Other');
    return world;
  }

  stop(): Promise<void> {
    return this.ending();
  }

  /** Forgets the devices and the rollouts of the test before. */
  async clear(): Promise<void> {
    this.offers = [];
    this.answer = () => ({ state: UpdateState.WORKING });
    await this.source.query(`UPDATE rollouts SET state = 'done'`);
    await this.source.query('DELETE FROM devices');
  }

  /** Connected devices. @returns their ids */
  async fleet(count: number, accountId = this.acme, agentVersion = '0.1.0'): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) {
      const serial = `serial-${++this.serial}`;
      ids.push(await enrolDevice(this.app, accountId, { serial, facts: facts({ agentVersion }) }));
    }
    await this.source.query('UPDATE devices SET connected = true, connection_replica = $1 WHERE id = ANY($2::uuid[])', [
      ...[REPLICA, ids],
    ]);
    return ids;
  }

  /** Begins a rollout. @returns its id */
  async begin(share = 100, accountId = this.acme, version = '0.2.0'): Promise<string> {
    return (await this.rollouts.start(this.superAdmin, { version, accountId, share })).rollout?.id ?? '';
  }

  async get(id: string) {
    return ((await this.rollouts.list(this.superAdmin, {})).rollouts ?? []).find((one) => one.id === id);
  }

  change(id: string, to: RolloutChange) {
    return this.rollouts.apply(this.superAdmin, { id, change: to });
  }

  /** What became of each device. */
  async states(id: string): Promise<Record<string, RolloutDeviceState>> {
    const { devices = [] } = await this.rollouts.devices(this.superAdmin, { id });
    return Object.fromEntries(devices.map((one) => [one.deviceId, one.state])) as Record<string, RolloutDeviceState>;
  }

  /** Has a device run a version, as it reports when an update is done: one that runs its former version is asked why. */
  async run(device: string, version: string): Promise<void> {
    await this.source.query('UPDATE devices SET agent_version = $2 WHERE id = $1', [device, version]);
  }

  /** Has devices asked at once. */
  async soon(): Promise<void> {
    await this.source.query('UPDATE rollout_devices SET asked = NULL');
  }
}

async function startTunnels(natsUrl: string, world: RolloutWorld): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'tunnels', config })] })(ProcessModule);
  const process = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
  const handlers: Partial<RpcHandlers<typeof TunnelsService>> = {
    offerUpdate: async (_caller, { deviceId: device, offer }) => {
      const { offer: name = '', version = '', back = false } = offer ?? {};
      const made = { name, device, version, back };
      world.offers.push(made);
      const answer = world.answer(made);
      if (answer.state === UpdateState.DONE) await world.run(device, version);
      return { answer };
    },
  };
  process.get(RpcServer).serve(TunnelsService, handlers as RpcHandlers<typeof TunnelsService>, REPLICA);
  return process.init();
}
