import {
  Injectable,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { RedisConfig } from '../config/common.ts';
import { ConfigError } from '../config/load.ts';
import { HealthRegistry } from '../health/health.registry.ts';
import { SERVICE_INFO, type ServiceInfo } from '../process/service-info.ts';
import { evictionProblem, refuseEviction } from './eviction.ts';
import { measureMemory } from './memory.ts';
import { RedisServer } from './redis.server.ts';

const retryStrategy = (attempt: number) => Math.min(100 * attempt, 1_000);

/**
 * The process's connection to Redis. It reconnects for ever; a command fails after 2 s without an answer rather than
 * waiting for a server that may not return.
 */
@Injectable()
export class RedisLink implements OnModuleInit, OnApplicationShutdown {
  readonly client: Redis;
  private readonly log = new Logger(RedisLink.name);
  private down = false;

  /** What makes this Redis unfit for production. */
  private unfit: string | undefined;

  constructor(
    private readonly server: RedisServer,
    private readonly name: string,
    health: HealthRegistry,
    private readonly production = false,
  ) {
    this.client = server.connect({
      connectionName: name,
      commandTimeout: 2_000,
      maxRetriesPerRequest: 1,
      retryStrategy,
    });
    this.client.on('error', (error) => {
      if (!this.down) this.log.warn({ reason: error.message }, 'Redis is gone; reconnecting.');
      this.down = true;
    });
    this.client.on('ready', () => {
      if (this.down) this.log.log('Redis is back.');
      this.down = false;
      if (production) void this.look();
    });
    health.add('redis', async () => {
      // Nodes of a cluster differ, and any of them answers.
      await Promise.all([this.client.ping(), server.clustered || measureMemory(this.client)]);
      if (this.unfit) throw new Error(this.unfit);
    });
  }

  /** @throws ConfigError in production for a Redis that evicts; one that is not there yet is waited for, and judged when it is */
  async onModuleInit(): Promise<void> {
    if (!this.production) return;
    await refuseEviction(this.client).catch((error: unknown) => {
      if (error instanceof ConfigError) throw error;
    });
  }

  /**
   * A second connection, for subscriptions: it waits instead of failing. Its user subscribes on each `ready`: ioredis would do so
   * with a promise that nobody handles, and a stop in that moment would end the process by an unhandled rejection.
   */
  subscriber(): Redis {
    const subscriber = this.server.connect({
      connectionName: this.name,
      maxRetriesPerRequest: null,
      autoResubscribe: false,
      retryStrategy,
    });
    subscriber.on('error', () => {});
    return subscriber;
  }

  private async look(): Promise<void> {
    const problem = await evictionProblem(this.client).catch(() => this.unfit);
    if (problem && problem !== this.unfit) this.log.error({ problem }, 'Redis is configured to evict keys.');
    this.unfit = problem;
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}

@Module({})
export class RedisModule {
  static forRoot({ config, name }: { config: RedisConfig; name: string }): DynamicModule {
    const provider = {
      provide: RedisLink,
      inject: [HealthRegistry, { token: SERVICE_INFO, optional: true }],
      useFactory: (health: HealthRegistry, info?: ServiceInfo) =>
        new RedisLink(new RedisServer(config), name, health, info?.production),
    };
    return { module: RedisModule, global: true, providers: [provider], exports: [RedisLink] };
  }
}
