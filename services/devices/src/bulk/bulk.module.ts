import { BullModule } from '@nestjs/bullmq';
import type { DynamicModule, Provider } from '@nestjs/common';
import type { RedisConfig } from '@warren/platform/config/common';
import { QueueConnection } from '@warren/platform/redis/queue.connection';
import { RedisServer } from '@warren/platform/redis/redis.server';
import type { ConnectionOptions } from 'bullmq';
import { BulkActions } from './bulk.actions.ts';
import { BulkInitiator } from './bulk.initiator.ts';
import { BulkPublisher } from './bulk.publisher.ts';
import { BULK_JOBS } from './bulk.queue.ts';
import { BulkRpc } from './bulk.rpc.ts';
import { BulkRunner } from './bulk.runner.ts';
import { BulkService } from './bulk.service.ts';
import { BulkWorker } from './bulk.worker.ts';

/** In braces, so that a cluster keeps a queue's keys on one node. */
const PREFIX = '{devices}:queue';

/** Bulk jobs: what the module of the process imports and provides. */
export function bulkJobs(config: RedisConfig): { imports: DynamicModule[]; providers: Provider[] } {
  const queue = new QueueConnection(new RedisServer(config), 'devices');
  // Two declarations of one type: ioredis lets a strategy return null, which BullMQ passes on to it.
  const connection = queue.connection as ConnectionOptions;
  return {
    imports: [BullModule.forRoot({ connection, prefix: PREFIX }), BullModule.registerQueue({ name: BULK_JOBS })],
    providers: [
      { provide: QueueConnection, useValue: queue },
      BulkActions,
      BulkInitiator,
      BulkPublisher,
      BulkRpc,
      BulkRunner,
      BulkService,
      BulkWorker,
    ],
  };
}
