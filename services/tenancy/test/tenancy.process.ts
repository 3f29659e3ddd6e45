import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { addRedisUser } from '@warren/infra/redis';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { createTestDatabase, serviceUrl, type TestDatabase } from '@warren/infra/test-database';
import { appModule } from '../src/app.module.ts';
import { tenancyConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';

/** An empty, migrated database of tenancy. */
export async function tenancyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('tenancy');
  await migrate(databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 }));
  return database;
}

/** Who the service is in Redis. */
export const REDIS_USER = { name: 'tenancy', rules: redisRules('tenancy') };

/** The whole service in this process, against real servers. */
export async function startTenancy(
  databaseUrl: string,
  natsUrl: string,
  env: NodeJS.ProcessEnv = {},
): Promise<INestApplicationContext> {
  const redis = env['REDIS_URL'] ?? process.env['TEST_REDIS_URL'] ?? '';
  const clustered = env['REDIS_MODE'] === 'cluster';
  const config = loadConfig(tenancyConfig, {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    OPS_PORT: '0',
    NATS_URL: natsUrl,
    DATABASE_URL: serviceUrl(databaseUrl),
    OPERATOR_EMAIL: 'Boss@Operator.test',
    OPERATOR_ACCOUNT: 'Operator',
    HUB_URL: 'http://hub.test',
    // The discard port (RFC 863) refuses connections; suites that check mails start a server.
    SMTP_URL: 'smtp://127.0.0.1:9',
    ...env,
    REDIS_URL: clustered ? redis : await addRedisUser(redis, REDIS_USER),
  });
  return NestFactory.createApplicationContext(appModule(config), { logger: false, abortOnError: false });
}
