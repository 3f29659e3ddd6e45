import 'reflect-metadata';
import { create } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createTestDatabase, serviceUrl, type TestDatabase } from '@warren/infra/test-database';
import { commonConfig } from '@warren/platform/config/common';
import { addRedisUser } from '@warren/infra/redis';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { Fault } from '@warren/platform/errors/fault';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import { serviceCaller } from '@warren/platform/rpc/caller';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { FactsSchema, type Facts } from '@warren/proto/agent/v1/agent';
import { Status } from '@warren/proto/common/v1/common';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { appModule } from '../src/app.module.ts';
import { devicesConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';
import { EnrolmentService } from '../src/enrolment/enrolment.service.ts';
import { TokensService } from '../src/enrolment/tokens.service.ts';
import { FilterUsers } from './filter.users.ts';
import { newPair } from './key.pair.ts';

export const DOMAIN = 'devices.localhost:8080';

/** An empty, migrated database of devices. */
export async function devicesDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('devices');
  await migrate(databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 }));
  return database;
}

/** Who the service is in Redis. */
export const REDIS_USER = { name: 'devices', rules: redisRules('devices') };

/** The whole service in this process, against real servers. */
export async function startDevices(urls: {
  database: string;
  nats: string;
  redis: string;
  /** How long the hub has devices on trial, in seconds. */
  trial?: number;
}): Promise<INestApplicationContext> {
  const config = loadConfig(devicesConfig, {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    OPS_PORT: '0',
    NATS_URL: urls.nats,
    REDIS_URL: await addRedisUser(urls.redis, REDIS_USER),
    DATABASE_URL: serviceUrl(urls.database),
    DEVICE_DOMAIN: DOMAIN,
    ROLLOUT_TRIAL_SECONDS: urls.trial === undefined ? undefined : String(urls.trial),
  });
  return NestFactory.createApplicationContext(appModule(config), { logger: false, abortOnError: false });
}

/**
 * What tenancy answers about accounts: a name for each id; others are not there.
 * @param more further answers
 * @param users the grants that name saved filters
 */
export async function startAccounts(
  natsUrl: string,
  names: Map<string, string>,
  more: Partial<RpcHandlers<typeof TenancyService>> = {},
  users = new FilterUsers(),
): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'tenancy', config })] })(ProcessModule);
  const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
  const handlers: Partial<RpcHandlers<typeof TenancyService>> = {
    getAccount: async (_caller, { id }) => {
      const name = names.get(id);
      if (!name) throw new Fault('not_found', `account ${id}.`);
      return { account: { id, name, status: Status.ACTIVE } };
    },
    ...more,
  };
  app.get(RpcServer).serve(TenancyService, handlers as RpcHandlers<typeof TenancyService>);
  users.serveGrants(app);
  return app.init();
}

/** Good facts; `init` changes some. */
export function facts(init: Partial<Omit<Facts, '$typeName' | '$unknown'>> = {}): Facts {
  return create(FactsSchema, {
    hostname: 'pi-1',
    privateIp: '192.168.1.10',
    cpuCores: 4,
    cpuUsage: 12.5,
    arch: 'arm64',
    totalRam: 4_000n,
    usedRam: 1_000n,
    totalDisk: 32_000n,
    usedDisk: 8_000n,
    uptimeSeconds: 60n,
    os: 'Debian GNU/Linux 12',
    kernel: '6.6.31',
    model: 'Raspberry Pi 4',
    agentVersion: '0.1.0',
    ...init,
  });
}

/** A device's key pair: the 32 bytes of the public key, and its proof for a token. */
export function newKey(): { publicKey: Uint8Array<ArrayBuffer>; prove: (token: string) => Uint8Array<ArrayBuffer> } {
  const { raw, sign } = newPair();
  return { publicKey: raw, prove: (token) => sign(`warren-enrol:${token}`) };
}

/** Enrols a device through the services; returns its id. */
export async function enrolDevice(
  app: INestApplicationContext,
  accountId: string,
  init: { serial?: string; facts?: Facts } = {},
): Promise<string> {
  const { token } = await app
    .get(TokensService)
    .issue(serviceCaller('devices'), { accountId, uses: 1, createdBy: null });
  const { publicKey, prove } = newKey();
  const { deviceId } = await app.get(EnrolmentService).enrol(serviceCaller('gateway'), {
    accountId,
    token,
    publicKey,
    proof: prove(token),
    publicIp: '81.2.3.4',
    serial: init.serial ?? 'serial-1',
    facts: init.facts ?? facts(),
  });
  return deviceId;
}
