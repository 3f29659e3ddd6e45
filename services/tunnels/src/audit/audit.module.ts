import { Module } from '@nestjs/common';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { BrokerModule } from '../broker/broker.module.ts';
import { PendingEvents } from './pending.events.ts';
import { SessionTrail } from './session.trail.ts';

/** The audit events of this process. */
@Module({
  imports: [BrokerModule],
  providers: [PendingEvents, RedisOutbox, SessionTrail],
  exports: [SessionTrail],
})
export class AuditModule {}
