import 'reflect-metadata';
import { create } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { startNats } from '@warren/infra/nats';
import { addRedisUser } from '@warren/infra/redis';
import { createTestDatabase, serviceUrl, type TestDatabase } from '@warren/infra/test-database';
import { commonConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { EventBus } from '@warren/platform/events/event.bus';
import { newEvent, type Event } from '@warren/platform/events/event';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { SavedFiltersService, type ExpandFilterRequest } from '@warren/proto/devices/v1/filters';
import { MatchingService } from '@warren/proto/devices/v1/matching';
import { ReportMetricsRequestSchema, SampleSchema, type Sample } from '@warren/proto/fleet/v1/metrics';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AlertPass } from '../src/alerts/pass/alert.pass.ts';
import { appModule } from '../src/app.module.ts';
import { fleetConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';
import { ReportService } from '../src/metrics/report.service.ts';
import { MatchedDevices } from './matched.devices.ts';

/** An empty, migrated database of fleet. */
async function fleetDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('fleet');
  await migrate(databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 }));
  return database;
}

/** What the devices service answers: the account of each device of the map, and the devices that conditions hold for. */
async function startDirectory(
  natsUrl: string,
  accounts: Map<string, string>,
  matched: MatchedDevices,
): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'devices', config })] })(ProcessModule);
  const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
  const handlers: Partial<RpcHandlers<typeof DevicesService>> = {
    findDeviceAccounts: async (_caller, { deviceIds }) => ({
      devices: deviceIds.flatMap((deviceId) => {
        const accountId = accounts.get(deviceId);
        return accountId ? [{ deviceId, accountId, name: nameOf(deviceId), accountName: ACCOUNT_NAME }] : [];
      }),
    }),
  };
  app.get(RpcServer).serve(DevicesService, handlers as RpcHandlers<typeof DevicesService>);
  app.get(RpcServer).serve(MatchingService, matched);
  const expandFilter = async (_caller: Caller, { filter }: ExpandFilterRequest) => {
    const expanded = matched.expanded(filter);
    if (!expanded.ok) throw new Fault('invalid_argument', expanded.message);
    return { filter: expanded.text };
  };
  app.get(RpcServer).serve(SavedFiltersService, { expandFilter } as RpcHandlers<typeof SavedFiltersService>);
  return app.init();
}

/** The name of every account of the devices service. */
export const ACCOUNT_NAME = 'Acme Farms';
/** The name of a device there. */
export const nameOf = (deviceId: string) => `pump ${deviceId.slice(-4)}`;

/** A sample with all there may be. */
export function sample(
  time: number,
  init: Partial<Omit<Sample, '$typeName' | '$unknown' | 'disks' | 'interfaces'>> = {},
): Sample {
  return create(SampleSchema, {
    time,
    cpuPercent: 25,
    load1: 0.5,
    memoryUsed: 1_073_741_824n,
    memoryTotal: 4_294_967_296n,
    temperature: 48,
    disks: [{ mount: '/', used: 8_589_934_592n, total: 34_359_738_368n }],
    interfaces: [{ name: 'eth0', rxBytes: 60_000n, txBytes: 6_000n }],
    roundTripMs: 12.5,
    boot: time - (time % 10) - 3_600,
    throttled: 0,
    ...init,
  });
}

/** Now, in whole minutes since 1970 as seconds. */
export function thisMinute(): number {
  const now = Math.floor(Date.now() / 1_000);
  return now - (now % 60);
}

/** The service with its own database and bus, and the devices that the devices service knows. */
export class FleetWorld {
  readonly accounts = new Map<string, string>();
  readonly matched = new MatchedDevices();
  app!: INestApplicationContext;
  private database!: TestDatabase;
  private nats!: Awaited<ReturnType<typeof startNats>>;
  private directory!: INestApplicationContext;

  static start(settings: NodeJS.ProcessEnv = {}): Promise<FleetWorld> {
    return new FleetWorld().start(settings);
  }

  async start(settings: NodeJS.ProcessEnv = {}): Promise<this> {
    [this.database, this.nats] = await Promise.all([fleetDatabase(), startNats()]);
    this.directory = await startDirectory(this.nats.url, this.accounts, this.matched);
    this.app = await this.replica(settings);
    return this;
  }

  get source(): DataSource {
    return this.app.get(DataSource);
  }

  /** Starts another process of the service. */
  async replica(settings: NodeJS.ProcessEnv = {}): Promise<INestApplicationContext> {
    const config = loadConfig(fleetConfig, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      OPS_PORT: '0',
      NATS_URL: this.nats.url,
      DATABASE_URL: serviceUrl(this.database.url),
      REDIS_URL: await addRedisUser(process.env['TEST_REDIS_URL'] ?? '', { name: 'fleet', rules: redisRules('fleet') }),
      HUB_URL: 'http://hub.test',
      // The discard port (RFC 863) refuses connections.
      SMTP_URL: 'smtp://127.0.0.1:9',
      ...settings,
    });
    const app = await NestFactory.createApplicationContext(appModule(config), { logger: false, abortOnError: false });
    // Tests make passes at their own times.
    app.get(AlertPass).soon = () => {};
    return app;
  }

  /** Adds a device to the devices service. */
  device(accountId = uuidv7()): string {
    const id = uuidv7();
    this.accounts.set(id, accountId);
    return id;
  }

  /** Reports samples as tunnels does. */
  report(deviceId: string, samples: Sample[], app = this.app) {
    const accountId = this.accounts.get(deviceId) ?? '';
    const request = create(ReportMetricsRequestSchema, { devices: [{ deviceId, accountId, samples }] });
    return app.get(ReportService).report(serviceCaller('tunnels'), request);
  }

  /** Publishes an event, as another service does. */
  publish(event: Event): Promise<void> {
    return this.directory.get(EventBus).publish(event);
  }

  /** Deletes a device, as the devices service says so. */
  async delete(deviceId: string): Promise<void> {
    const accountId = this.accounts.get(deviceId) ?? '';
    this.accounts.delete(deviceId);
    await this.directory
      .get(EventBus)
      .publish(newEvent({ accountId, kind: { case: 'deviceDeleted', value: { deviceId } } }));
  }

  /** Moves a device into another account, as the devices service says so. */
  async move(deviceId: string, accountId: string): Promise<void> {
    const previousAccountId = this.accounts.get(deviceId) ?? '';
    this.accounts.set(deviceId, accountId);
    await this.directory
      .get(EventBus)
      .publish(newEvent({ accountId, kind: { case: 'deviceChanged', value: { deviceId, previousAccountId } } }));
  }

  /** Rows of a table that are of a device. */
  async rows(table: string, deviceId: string): Promise<number> {
    const column = table === 'devices' ? 'id' : 'device_id';
    const [row] = await this.source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM ${table} WHERE ${column} = $1`,
      [deviceId],
    );
    return row?.n ?? 0;
  }

  async end(): Promise<void> {
    await this.app?.close();
    await this.directory?.close();
    await this.nats?.stop();
    await this.database?.drop();
  }
}
