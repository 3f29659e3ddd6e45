import { Injectable, Logger, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { HealthRegistry } from '../health/health.registry.ts';

/**
 * The process's connection to Redis. It reconnects for ever; a command fails after 2 s without an answer rather than
 * waiting for a server that may not return.
 */
@Injectable()
export class RedisLink implements OnApplicationShutdown {
  readonly client: Redis;
  private readonly log = new Logger(RedisLink.name);
  private down = false;

  constructor(url: string, name: string, health: HealthRegistry) {
    this.client = new Redis(url, {
      connectionName: name,
      commandTimeout: 2_000,
      maxRetriesPerRequest: 1,
      retryStrategy: (attempt) => Math.min(100 * attempt, 1_000),
    });
    this.client.on('error', (error) => {
      if (!this.down) this.log.warn(`Redis is gone (${error.message}); reconnecting.`);
      this.down = true;
    });
    this.client.on('ready', () => {
      if (this.down) this.log.log('Redis is back.');
      this.down = false;
    });
    health.add('redis', async () => void (await this.client.ping()));
  }

  /** A second connection, for subscriptions: it waits instead of failing. */
  subscriber(): Redis {
    const subscriber = this.client.duplicate({ maxRetriesPerRequest: null, commandTimeout: undefined });
    subscriber.on('error', () => {});
    return subscriber;
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}

@Module({})
export class RedisModule {
  static forRoot(options: { url: string; name: string }): DynamicModule {
    const provider = {
      provide: RedisLink,
      inject: [HealthRegistry],
      useFactory: (health: HealthRegistry) => new RedisLink(options.url, options.name, health),
    };
    return { module: RedisModule, global: true, providers: [provider], exports: [RedisLink] };
  }
}
