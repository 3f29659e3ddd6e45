import type { OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, RedisOptions } from 'ioredis';
import type { RedisServer } from './redis.server.ts';

const MAX_RECONNECT_MS = 1_000;

/** A queue's connection to Redis. BullMQ opens its own from options, but uses a given connection to a cluster, and leaves it open. */
export class QueueConnection implements OnApplicationShutdown {
  readonly connection: RedisOptions | Cluster;
  private readonly cluster: Cluster | undefined;

  /** @param name of the connection, as Redis shows it */
  constructor(server: RedisServer, name: string) {
    const retryStrategy = (attempt: number) => Math.min(100 * attempt, MAX_RECONNECT_MS);
    const options = { connectionName: name, maxRetriesPerRequest: null, retryStrategy };
    this.cluster = server.clustered ? server.cluster(options) : undefined;
    this.cluster?.on('error', () => {});
    this.connection = this.cluster ?? server.connection(options);
  }

  onApplicationShutdown(): void {
    this.cluster?.disconnect();
  }
}
