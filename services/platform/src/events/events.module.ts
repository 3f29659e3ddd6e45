import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { EventBus } from './event.bus.ts';
import { EventConsumer } from './event.consumer.ts';
import { EventFollower } from './event.follower.ts';
import type { Outbox } from './outbox.ts';

/** Events: the bus, this service's durable consumer, and (for services with a database) the outbox. */
@Module({})
export class EventsModule {
  /** @param outbox given by those who have a database: it brings the whole of TypeORM along */
  static forRoot({ outbox }: { outbox?: Type<Outbox> | undefined } = {}): DynamicModule {
    const providers = [EventBus, EventConsumer, EventFollower, ...(outbox ? [outbox] : [])];
    return { module: EventsModule, global: true, providers, exports: providers };
  }
}
