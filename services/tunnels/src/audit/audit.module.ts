import { Module } from '@nestjs/common';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { BrokerModule } from '../broker/broker.module.ts';
import { PendingEvents } from './pending.events.ts';

/** The audit events of this process. */
@Module({
  imports: [BrokerModule],
  providers: [PendingEvents, RedisOutbox],
  exports: [PendingEvents],
})
export class AuditModule {}
