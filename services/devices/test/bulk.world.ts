import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { addRedisUser, startRedis } from '@warren/infra/redis';
import { freePort } from '@warren/infra/ports';
import { serviceUrl } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { BROKER } from '@warren/platform/broker/keys';
import { commonConfig } from '@warren/platform/config/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { requireService, requireUser, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { Role, Status, UserCallerSchema } from '@warren/proto/common/v1/common';
import {
  BulkService as Contract,
  StartBulkJobRequestSchema,
  type BulkAction,
  type BulkJob,
} from '@warren/proto/devices/v1/bulk';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { Redis } from 'ioredis';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DataSource, type QueryRunner } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { BulkService } from '../src/bulk/bulk.service.ts';
import {
  DOMAIN,
  devicesDatabase,
  enrolDevice,
  facts,
  REDIS_USER,
  startAccounts,
  startDevices,
} from './devices.process.ts';

const REPLICA = 'replica-1';
const ROOT = join(import.meta.dirname, '../../..');

/** Holds devices back until it is unlocked. */
export function gate(): { open: Promise<void>; unlock: () => void } {
  let unlock = (): void => {};
  const open = new Promise<void>((resolve) => (unlock = resolve));
  return { open, unlock: () => unlock() };
}

/** A person with the role that tenancy says now. */
interface Person {
  caller: Caller;
  role: Role;
  active: boolean;
}

/** The devices service on separate servers, tenancy as far as people go, and a replica of tunnels that reboots devices. */
export class BulkWorld {
  readonly operator = uuidv7();
  readonly acme = uuidv7();
  readonly other = uuidv7();
  /** Devices of the present test that were asked to reboot, in order. */
  readonly rebooted: string[] = [];
  private readonly present = new Set<string>();
  /** What a device does when it is asked. */
  onReboot: (deviceId: string) => Promise<void> = async () => {};
  source!: DataSource;
  /** A connection that outlives the service. */
  database!: DataSource;
  private gateway!: INestApplicationContext;
  private app!: INestApplicationContext;
  private readonly people = new Map<string, Person>();
  private readonly urls = { database: '', nats: '', redis: '' };
  private readonly ending: (() => Promise<unknown>)[] = [];
  private child: ChildProcess | undefined;
  private serial = 0;

  async start(): Promise<this> {
    const [database, nats, redis] = await Promise.all([devicesDatabase(), startNats(), startRedis()]);
    Object.assign(this.urls, { database: database.url, nats: nats.url, redis: redis.url });
    const leases = new Redis(redis.url);
    await leases.zadd(BROKER.replicas, 9_999_999_999_999, REPLICA);
    leases.disconnect();
    const names = new Map([
      [this.operator, 'Operator'],
      [this.acme, 'Acme'],
      [this.other, 'Other'],
    ]);
    const tenancy = await startAccounts(nats.url, names, {
      resolveMember: async (_caller, { email }) => this.member(email),
    });
    const tunnels = await this.startTunnels();
    this.gateway = await this.startGateway();
    this.database = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    this.app = await startDevices(this.urls);
    this.source = this.app.get(DataSource);
    this.ending.push(
      () => this.app.close(),
      () => this.database.destroy(),
      () => Promise.all([tenancy.close(), tunnels.close(), this.gateway.close()]),
      () => Promise.all([nats.stop(), redis.stop()]),
      () => database.drop(),
    );
    return this;
  }

  async stop(): Promise<void> {
    await this.kill();
    for (const end of this.ending) await end();
  }

  get bulk(): BulkService {
    return this.service(BulkService);
  }

  service<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** Calls back for each event of the bus. @returns its undo */
  listen(handler: (event: Event) => void): () => void {
    return this.gateway.get(EventBus).listen(handler);
  }

  /** Locks devices, until the transaction that it returns ends. @param where a condition of SQL */
  async hold(where: string, parameters: unknown[] = []): Promise<QueryRunner> {
    const hold = this.database.createQueryRunner();
    await hold.startTransaction();
    await hold.query(`SELECT FROM devices WHERE ${where} FOR UPDATE`, parameters);
    return hold;
  }

  /** Forgets what earlier tests did. */
  async clear(): Promise<void> {
    await this.source.query(`UPDATE bulk_jobs SET state = 'done', finished = now()`);
    await this.source.query('DELETE FROM devices');
    this.present.clear();
    this.rebooted.length = 0;
    this.onReboot = async () => {};
  }

  /** A person of the operator or, without `operator`, of an account. */
  person(role: Role, accountId = this.operator): Person {
    const userId = uuidv7();
    const email = `${userId}@example.com`;
    const operator = accountId === this.operator;
    const caller = userCaller(create(UserCallerSchema, { userId, email, name: 'Someone', accountId, role, operator }));
    const person = { caller, role, active: true };
    this.people.set(email, person);
    return person;
  }

  /** Devices, connected unless it says otherwise. @returns their ids, in the order of their names */
  async fleet(count: number, accountId = this.acme, connected = true): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) {
      const number = String(++this.serial).padStart(4, '0');
      const device = { serial: `serial-${number}`, facts: facts({ hostname: `pi-${number}` }) };
      ids.push(await enrolDevice(this.app, accountId, device));
    }
    for (const id of ids) this.present.add(id);
    await this.source.query('UPDATE devices SET connected = $3, connection_replica = $1 WHERE id = ANY($2::uuid[])', [
      REPLICA,
      ids,
      connected,
    ]);
    return ids;
  }

  async begin(
    { caller }: Person,
    action: BulkAction,
    request: Omit<MessageInitShape<typeof StartBulkJobRequestSchema>, 'action' | '$typeName'>,
  ): Promise<string> {
    const { job } = await this.bulk.start(caller, create(StartBulkJobRequestSchema, { action, ...request }));
    return job?.id ?? '';
  }

  async get({ caller }: Person, id: string): Promise<BulkJob> {
    return (await this.bulk.get(caller, { id })).job as BulkJob;
  }

  /** Waits for the end of a job. */
  async over(person: Person, id: string, timeoutMs = 60_000): Promise<BulkJob> {
    await until(async () => (await this.get(person, id)).finished !== undefined, timeoutMs);
    return this.get(person, id);
  }

  /** Starts a job in the process apart, by the bus. */
  async beginApart(
    { caller }: Person,
    action: BulkAction,
    request: Omit<MessageInitShape<typeof StartBulkJobRequestSchema>, 'action' | '$typeName'>,
  ): Promise<string> {
    const bulk = createRpcClient(Contract, this.gateway.get(NatsTransport));
    const { job } = await bulk.startBulkJob(caller, create(StartBulkJobRequestSchema, { action, ...request }));
    return job?.id ?? '';
  }

  /** How many devices of a job are done. */
  async doneOf(id: string): Promise<number> {
    const [row] = await this.database.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM bulk_devices WHERE job_id = $1 AND state = 'done'`,
      [id],
    );
    return row?.count ?? 0;
  }

  /** Runs the service in a process apart, which can be killed. */
  async startApart(): Promise<void> {
    const port = await freePort();
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      OPS_PORT: String(port),
      NATS_URL: this.urls.nats,
      REDIS_URL: await addRedisUser(this.urls.redis, REDIS_USER),
      DATABASE_URL: serviceUrl(this.urls.database),
      DEVICE_DOMAIN: DOMAIN,
    };
    this.child = spawn(process.execPath, [join(ROOT, 'services/devices/dist/main.js')], { env, stdio: 'inherit' });
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, 60_000);
  }

  async stopHere(): Promise<void> {
    await this.app.close();
  }

  async startHere(): Promise<void> {
    this.app = await startDevices(this.urls);
    this.source = this.app.get(DataSource);
  }

  async kill(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  private member(email: string) {
    const person = this.people.get(email);
    if (!person) return {};
    const { userId: id, name, accountId, operator } = requireUser(person.caller);
    const status = person.active ? Status.ACTIVE : Status.INACTIVE;
    return { user: { id, name, email, accountId, role: person.role, status }, operator };
  }

  private async startGateway(): Promise<INestApplicationContext> {
    const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: this.urls.nats });
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'gateway', config })] })(ProcessModule);
    return NestFactory.createApplicationContext(ProcessModule, { logger: false, abortOnError: false });
  }

  private async startTunnels(): Promise<INestApplicationContext> {
    const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: this.urls.nats });
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'tunnels', config })] })(ProcessModule);
    const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
    const handlers: Partial<RpcHandlers<typeof TunnelsService>> = {
      rebootDevice: async (caller, { deviceId, onBehalfOf }) => {
        requireService(caller, 'devices');
        if (onBehalfOf?.role !== Role.SUPER_ADMIN) throw new Fault('permission_denied', 'not this role.');
        // A job of the test before may still be at work.
        if (!this.present.has(deviceId)) return {};
        this.rebooted.push(deviceId);
        await this.onReboot(deviceId);
        return {};
      },
      offerUpdate: async () => ({}),
    };
    app.get(RpcServer).serve(TunnelsService, handlers as RpcHandlers<typeof TunnelsService>, REPLICA);
    return app.init();
  }
}
