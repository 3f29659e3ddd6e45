import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { JsMsg } from '@nats-io/jetstream';
import type { Event } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { NatsLink } from '../rpc/nats.connection.ts';
import { eventsHandled } from '../telemetry/metrics.ts';
import { DurableConsumer, readEvent } from './durable.consumer.ts';
import { EventBus } from './event.bus.ts';
import type { EventData, EventKind } from './event.ts';

type Handler = (event: Event, data: never) => Promise<void>;

const MAX_RETRY_MS = 60_000;

/**
 * The service's durable consumer, which its replicas share. A failed handler is retried with backoff for as long as the stream keeps
 * the event, so handlers must be idempotent.
 */
@Injectable()
export class EventConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(EventConsumer.name);
  private readonly handlers = new Map<EventKind, Handler[]>();
  private readonly consumer: DurableConsumer;
  private running: Promise<void> | undefined;

  constructor(link: NatsLink, bus: EventBus, @InjectServiceInfo() { name }: ServiceInfo) {
    this.consumer = new DurableConsumer(link, bus, { name, ahead: 64, unacknowledged: 256 });
  }

  /** Registers a handler, while modules start. */
  on<K extends EventKind>(kind: K, handler: (event: Event, data: EventData<K>) => Promise<void>): void {
    this.handlers.set(kind, [...(this.handlers.get(kind) ?? []), handler as Handler]);
  }

  onApplicationBootstrap(): void {
    if (this.handlers.size > 0) this.running = this.consumer.run((message) => this.handle(message));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.consumer.stop();
    await Promise.race([this.running, wait(3_000, undefined, { ref: false })]);
  }

  private async handle(message: JsMsg): Promise<void> {
    const event = readEvent(message);
    if (!event) {
      this.log.error({ subject: message.subject }, 'An event cannot be read; dropped.');
      return message.term();
    }
    const { case: kind, value } = event.kind;
    const handlers = kind ? (this.handlers.get(kind) ?? []) : [];
    const stop = eventsHandled.startTimer({ kind: kind ?? 'unknown' });
    try {
      for (const handler of handlers) await handler(event, value as never);
      message.ack();
      stop({ result: 'ok' });
    } catch (error) {
      const delay = Math.min(500 * 2 ** Math.min(message.info.deliveryCount, 8), MAX_RETRY_MS);
      this.log.error({ err: error, kind, event: event.id, retry_ms: delay }, 'Handling an event failed.');
      message.nak(delay);
      stop({ result: 'error' });
    }
  }
}
