import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type Consumer,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { NatsLink } from '../rpc/nats.connection.ts';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { eventAge, eventsHandled, eventsPending, eventStreamBytes, eventStreamMax } from '../telemetry/metrics.ts';
import { EventBus } from './event.bus.ts';
import { EVENT_STREAM, type EventData, type EventKind } from './event.ts';

type Handler = (event: Event, data: never) => Promise<void>;

const ACK_WAIT_NS = 30 * 1e9;
const MAX_RETRY_MS = 60_000;
const COUNT_EVERY_MS = 10_000;

/**
 * The service's durable consumer, which its replicas share. A failed handler is retried with backoff for as long as the stream keeps
 * the event, so handlers must be idempotent.
 */
@Injectable()
export class EventConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(EventConsumer.name);
  private readonly handlers = new Map<EventKind, Handler[]>();
  private messages: ConsumerMessages | undefined;
  private stopping = false;
  private counting: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly bus: EventBus,
    @InjectServiceInfo() private readonly info: ServiceInfo,
  ) {}

  /** Registers a handler, while modules start. */
  on<K extends EventKind>(kind: K, handler: (event: Event, data: EventData<K>) => Promise<void>): void {
    this.handlers.set(kind, [...(this.handlers.get(kind) ?? []), handler as Handler]);
  }

  onApplicationBootstrap(): void {
    if (this.handlers.size > 0) this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.counting);
    this.messages?.stop();
    await Promise.race([this.running, wait(3_000, undefined, { ref: false })]);
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      try {
        this.messages = await this.open();
        for await (const message of this.messages) await this.handle(message);
      } catch (error) {
        this.log.warn(`Reading events failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (!this.stopping) await wait(500);
    }
  }

  private async open(): Promise<ConsumerMessages> {
    await this.bus.ensureStream();
    const manager = await jetstreamManager(this.link.connection, { timeout: 3_000 });
    await manager.consumers.add(EVENT_STREAM, {
      durable_name: this.info.name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_NS,
      max_ack_pending: 256,
    });
    const consumer = await jetstream(this.link.connection).consumers.get(EVENT_STREAM, this.info.name);
    const count = () => void this.count(consumer, manager).catch(() => {});
    count();
    clearInterval(this.counting);
    this.counting = setInterval(count, COUNT_EVERY_MS).unref();
    // A consumer or stream that vanished ends the loop above, which makes it again.
    return consumer.consume({ max_messages: 64, idle_heartbeat: 5_000, abort_on_missing_resource: true });
  }

  private async count(consumer: Consumer, manager: JetStreamManager): Promise<void> {
    const { num_pending: pending, num_ack_pending: unacknowledged } = await consumer.info();
    const component = this.info.name;
    eventsPending.set({ component, state: 'undelivered' }, pending);
    eventsPending.set({ component, state: 'unacknowledged' }, unacknowledged);
    const { state, config } = await manager.streams.info(EVENT_STREAM);
    eventStreamBytes.set(state.bytes);
    eventStreamMax.set(config.max_bytes);
  }

  private async handle(message: JsMsg): Promise<void> {
    let event: Event;
    try {
      event = fromBinary(EventSchema, message.data);
    } catch {
      this.log.error(`An event on ${message.subject} cannot be read; dropped.`);
      return message.term();
    }
    const { case: kind, value } = event.kind;
    const handlers = kind ? (this.handlers.get(kind) ?? []) : [];
    if (event.time && message.info.deliveryCount === 1)
      eventAge.observe({ kind: kind ?? 'unknown' }, Math.max(0, Date.now() - timestampMs(event.time)) / 1_000);
    const stop = eventsHandled.startTimer({ kind: kind ?? 'unknown' });
    try {
      for (const handler of handlers) await handler(event, value as never);
      message.ack();
      stop({ result: 'ok' });
    } catch (error) {
      const delay = Math.min(500 * 2 ** Math.min(message.info.deliveryCount, 8), MAX_RETRY_MS);
      this.log.error({ err: error, kind, event: event.id }, `Handling an event failed; again in ${delay} ms.`);
      message.nak(delay);
      stop({ result: 'error' });
    }
  }
}
