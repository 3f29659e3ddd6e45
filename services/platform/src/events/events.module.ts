import { Module, type DynamicModule } from '@nestjs/common';
import { EventBus } from './event.bus.ts';
import { EventConsumer } from './event.consumer.ts';
import { EventFollower } from './event.follower.ts';
import { Outbox } from './outbox.ts';

/** Events: the bus, this service's durable consumer, and (for services with a database) the outbox. */
@Module({})
export class EventsModule {
  static forRoot({ outbox = false }: { outbox?: boolean } = {}): DynamicModule {
    const providers = [EventBus, EventConsumer, EventFollower, ...(outbox ? [Outbox] : [])];
    return { module: EventsModule, global: true, providers, exports: providers };
  }
}
