import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { startRedis } from '@warren/infra/redis';
import { Redis } from 'ioredis';
import type { MigrationInterface } from 'typeorm';
import { redisConfig } from '../src/config/common.ts';
import { DatabaseModule } from '../src/database/database.module.ts';
import type { DatabaseOptions } from '../src/database/database.options.ts';
import { migrate } from '../src/database/migrate.ts';
import { HealthRegistry } from '../src/health/health.registry.ts';
import { RedisLink } from '../src/redis/redis.module.ts';
import { RedisServer } from '../src/redis/redis.server.ts';
import { registry } from '../src/telemetry/metrics.ts';

/** A figure of the process as it is exposed. */
async function figure(name: string, labels: object = {}): Promise<number | undefined> {
  const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
  return values.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value;
}

class Step implements MigrationInterface {
  async up(): Promise<void> {}
  async down(): Promise<void> {}
}
class First1000000000001 extends Step {}
class Second1000000000002 extends Step {}
class Third1000000000003 extends Step {}

beforeAll(() => Logger.overrideLogger(false));

describe('how a process and its schema differ', () => {
  let database: TestDatabase;
  const options = (...migrations: DatabaseOptions['migrations']): DatabaseOptions => ({
    name: 'measured',
    url: database.url,
    pool: 2,
    entities: [],
    migrations,
  });

  beforeAll(async () => {
    database = await createTestDatabase('measured');
    await migrate(options(First1000000000001, Second1000000000002));
  });
  afterAll(() => database?.drop());

  /** Migrations as a process of other code measures them: pending, unknown. */
  async function measured(...migrations: DatabaseOptions['migrations']): Promise<(number | undefined)[]> {
    const health = new HealthRegistry();
    let app: TestingModule | undefined;
    try {
      class HealthModule {}
      const shared = { module: HealthModule, global: true, exports: [HealthRegistry] };
      app = await Test.createTestingModule({
        imports: [
          { ...shared, providers: [{ provide: HealthRegistry, useValue: health }] },
          DatabaseModule.forRoot(options(...migrations)),
        ],
      }).compile();
      await app.init();
      expect(await health.report('test')).toMatchObject({ ready: true });
      return [
        await figure('warren_database_migrations', { state: 'pending' }),
        await figure('warren_database_migrations', { state: 'unknown' }),
      ];
    } finally {
      await app?.close();
    }
  }

  it('is counted: none for the same, pending for newer code, unknown for older code', async () => {
    expect(await measured(First1000000000001, Second1000000000002)).toEqual([0, 0]);
    expect(await measured(First1000000000001, Second1000000000002, Third1000000000003)).toEqual([1, 0]);
    expect(await measured(First1000000000001)).toEqual([0, 1]);
  });
});

describe('the memory of Redis', () => {
  it('is measured beside its limit', async () => {
    const redis = await startRedis();
    const health = new HealthRegistry();
    const link = new RedisLink(new RedisServer(redisConfig.parse({ REDIS_URL: redis.url })), 'test', health);
    const administrator = new Redis(redis.url);
    try {
      await health.report('test');
      expect(await figure('warren_redis_memory_max_bytes')).toBe(0);
      const before = (await figure('warren_redis_memory_used_bytes')) ?? 0;
      await administrator.config('SET', 'maxmemory', '64mb');
      await administrator.set('large', 'x'.repeat(4_000_000));
      await health.report('test');
      expect(await figure('warren_redis_memory_max_bytes')).toBe(64 * 2 ** 20);
      expect(await figure('warren_redis_memory_used_bytes')).toBeGreaterThan(before + 4_000_000);
    } finally {
      administrator.disconnect();
      link.onApplicationShutdown();
      await redis.stop();
    }
  });
});
