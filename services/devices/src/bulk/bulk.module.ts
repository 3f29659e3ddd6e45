import { BullModule } from '@nestjs/bullmq';
import type { DynamicModule, Provider } from '@nestjs/common';
import type { RedisConfig } from '@warren/platform/config/common';
import { QueueConnection, queuePrefix } from '@warren/platform/queue/queue.connection';
import { BulkActions } from './bulk.actions.ts';
import { BulkInitiator } from './bulk.initiator.ts';
import { BulkPublisher } from './bulk.publisher.ts';
import { BULK_JOBS } from './bulk.queue.ts';
import { BulkRpc } from './bulk.rpc.ts';
import { BulkRunner } from './bulk.runner.ts';
import { BulkService } from './bulk.service.ts';
import { BulkSwitches } from './bulk.switches.ts';
import { BulkWorker } from './bulk.worker.ts';

/** Bulk jobs: what the module of the process imports and provides. */
export function bulkJobs(config: RedisConfig): { imports: DynamicModule[]; providers: Provider[] } {
  const queue = new QueueConnection(config, 'devices');
  return {
    imports: [
      BullModule.forRoot({ connection: queue.connection, prefix: queuePrefix('devices') }),
      BullModule.registerQueue({ name: BULK_JOBS }),
    ],
    providers: [
      { provide: QueueConnection, useValue: queue },
      BulkActions,
      BulkInitiator,
      BulkPublisher,
      BulkRpc,
      BulkRunner,
      BulkService,
      BulkSwitches,
      BulkWorker,
    ],
  };
}
