import 'reflect-metadata';
import { quotaDefaults } from '@warren/platform/config/quotas';
import { loadConfig } from '@warren/platform/config/load';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { faultText } from '@warren/platform/errors/error.text';
import { Fault } from '@warren/platform/errors/fault';
import { writeWithEvents, type EventfulWork } from '@warren/platform/events/outbox';
import { HealthRegistry } from '@warren/platform/health/health.registry';
import { readCallerKeys } from '@warren/platform/rpc/caller.keys';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { createRpcClient } from '@warren/platform/rpc/client';
import { NatsLink } from '@warren/platform/rpc/nats.connection';
import { NatsTransport } from '@warren/platform/rpc/nats.transport';
import { VERSION } from '@warren/platform/service/service.module';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { AccountDirectory } from './accounts/account.directory.ts';
import { devicesConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { DevicesQuota } from './quotas/devices.quota.ts';
import { TokensService } from './enrolment/tokens.service.ts';

const TIMEOUT_MS = 15_000;

/** `node dist/token.js --account <id> [--uses n]`: makes an enrolment token and prints `{id, token, expires}`. */
const config = loadConfig(devicesConfig.partial({ REDIS_URL: true, DEVICE_DOMAIN: true }), process.env);
const { values } = parseArgs({ options: { account: { type: 'string' }, uses: { type: 'string', default: '1' } } });
if (!values.account) {
  console.error('usage: node dist/token.js --account <id> [--uses n]');
  process.exit(2);
}
setTimeout(() => {
  console.error(`No answer from the message bus in ${TIMEOUT_MS / 1_000} s.`);
  process.exit(1);
}, TIMEOUT_MS).unref();
const info = { name: 'devices', version: VERSION, nats: config, callers: config };
const link = await NatsLink.open(info, new HealthRegistry());
const options = databaseOptions({ ...config, DATABASE_POOL: 1 });
const source = await new DataSource(dataSourceOptions(options)).initialize();
try {
  const accounts = new AccountDirectory(
    source,
    createRpcClient(TenancyService, new NatsTransport(link, readCallerKeys('devices', config), info)),
  );
  const uses = Number(values.uses);
  const outbox = { transaction: <T>(work: EventfulWork<T>) => writeWithEvents(source, work) };
  const made = await new TokensService(source, outbox, accounts, new DevicesQuota(quotaDefaults(config))).issue(
    serviceCaller('devices'),
    {
      accountId: values.account,
      uses,
      createdBy: null,
    },
  );
  console.log(JSON.stringify(made));
} catch (error) {
  console.error(error instanceof Fault ? faultText(error) : error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await source.destroy();
  await link.onApplicationShutdown();
}
