import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { appModule } from '../src/app.module.ts';
import { tenancyConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';

/** An empty, migrated database of tenancy. */
export async function tenancyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('tenancy');
  await migrate(databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 }));
  return database;
}

/** The whole service in this process, against real servers. */
export function startTenancy(
  databaseUrl: string,
  natsUrl: string,
  env: NodeJS.ProcessEnv = {},
): Promise<INestApplicationContext> {
  const config = loadConfig(tenancyConfig, {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    OPS_PORT: '0',
    NATS_URL: natsUrl,
    DATABASE_URL: databaseUrl,
    OPERATOR_EMAIL: 'Boss@Operator.test',
    OPERATOR_ACCOUNT: 'Operator',
    HUB_URL: 'http://hub.test',
    REDIS_URL: process.env['TEST_REDIS_URL'],
    // Nobody listens at the discard port (RFC 863); suites that look at mails bring a server.
    SMTP_URL: 'smtp://127.0.0.1:9',
    ...env,
  });
  return NestFactory.createApplicationContext(appModule(config), { logger: false, abortOnError: false });
}
