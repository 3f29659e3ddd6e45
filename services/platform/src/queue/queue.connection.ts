import type { OnApplicationShutdown } from '@nestjs/common';
import type { ConnectionOptions } from 'bullmq';
import type { Cluster } from 'ioredis';
import type { RedisConfig } from '../config/common.ts';
import { RedisServer } from '../redis/redis.server.ts';

const MAX_RECONNECT_MS = 1_000;

/** The prefix of a service's queues: in braces, so that a cluster keeps a queue's keys on one node. */
export const queuePrefix = (service: string) => `{${service}}:queue`;

/**
 * The connection of a service's queues to Redis. BullMQ opens its own from options, but uses a given connection to a cluster, and leaves it
 * open.
 */
export class QueueConnection implements OnApplicationShutdown {
  readonly connection: ConnectionOptions;
  private readonly cluster: Cluster | undefined;

  constructor(config: RedisConfig, connectionName: string) {
    const server = new RedisServer(config);
    const retryStrategy = (attempt: number) => Math.min(100 * attempt, MAX_RECONNECT_MS);
    const options = { connectionName, maxRetriesPerRequest: null, retryStrategy };
    this.cluster = server.clustered ? server.cluster(options) : undefined;
    this.cluster?.on('error', () => {});
    // Two declarations of one type: ioredis lets a strategy return null, which BullMQ passes on to it.
    this.connection = (this.cluster ?? server.connection(options)) as ConnectionOptions;
  }

  onApplicationShutdown(): void {
    this.cluster?.disconnect();
  }
}
