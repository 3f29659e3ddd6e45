import { fromBinary } from '@bufbuild/protobuf';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { NatsLink } from '../rpc/nats.connection.ts';
import { eventAge, eventsHandled, eventsPending } from '../telemetry/metrics.ts';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { EventBus } from './event.bus.ts';
import { EVENT_STREAM } from './event.ts';

/** An event, and when the bus got it. */
export interface Received {
  event: Event;
  received: Date;
}

type Handler = (events: readonly Received[]) => Promise<void>;

const BATCH = 256;
const MAX_UNACKNOWLEDGED = 1_024;
const ACK_WAIT_NS = 30 * 1e9;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;
const COUNT_EVERY_MS = 10_000;

/**
 * Delivers events in batches, to one of the replicas each. A batch is acknowledged after its handler; if that fails, the batch is handled again,
 * by this process or another one. Takes the place of EventConsumer in a service that writes events in bulk.
 */
@Injectable()
export class EventBatches implements BeforeApplicationShutdown {
  private readonly log = new Logger(EventBatches.name);
  private messages: ConsumerMessages | undefined;
  private stopping = false;
  private counting: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private arrived: JsMsg[] = [];
  private handling: Promise<void> | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly bus: EventBus,
    @InjectServiceInfo() private readonly info: ServiceInfo,
  ) {}

  /** Starts to deliver events of all kinds. To be called once. */
  start(handler: Handler): void {
    this.running = this.run(handler);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.counting);
    this.messages?.stop();
    await Promise.race([Promise.all([this.running, this.handling]), wait(3_000, undefined, { ref: false })]);
  }

  private async run(handler: Handler): Promise<void> {
    while (!this.stopping) {
      try {
        this.messages = await this.open();
        for await (const message of this.messages) {
          this.arrived.push(message);
          this.handling ??= this.handleAll(handler).finally(() => (this.handling = undefined));
        }
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
      max_ack_pending: MAX_UNACKNOWLEDGED,
    });
    const consumer = await jetstream(this.link.connection).consumers.get(EVENT_STREAM, this.info.name);
    const count = async () => {
      const { num_pending: pending, num_ack_pending: unacknowledged } = await consumer.info();
      eventsPending.set({ component: this.info.name, state: 'undelivered' }, pending);
      eventsPending.set({ component: this.info.name, state: 'unacknowledged' }, unacknowledged);
    };
    void count().catch(() => {});
    clearInterval(this.counting);
    this.counting = setInterval(() => void count().catch(() => {}), COUNT_EVERY_MS).unref();
    return consumer.consume({ max_messages: BATCH, idle_heartbeat: 5_000, abort_on_missing_resource: true });
  }

  /** What arrives during a batch is the next one. */
  private async handleAll(handler: Handler): Promise<void> {
    await wait(0);
    for (let failures = 0; this.arrived.length > 0;) {
      const batch = this.arrived.slice(0, BATCH);
      const stop = eventsHandled.startTimer({ kind: 'batch' });
      try {
        await handler(batch.flatMap((message) => this.read(message)));
        for (const message of batch) message.ack();
        this.arrived.splice(0, batch.length);
        failures = 0;
        stop({ result: 'ok' });
      } catch (error) {
        const delay = Math.min(FIRST_RETRY_MS * 2 ** failures++, MAX_RETRY_MS);
        this.log.error({ err: error, events: batch.length }, `Handling events failed; again in ${delay} ms.`);
        stop({ result: 'error' });
        if (this.stopping) return;
        // Not delivered to another process meanwhile.
        for (const message of this.arrived) message.working();
        await wait(delay);
      }
    }
  }

  private read(message: JsMsg): Received[] {
    try {
      const event = fromBinary(EventSchema, message.data);
      if (event.time && message.info.deliveryCount === 1)
        eventAge.observe(
          { kind: event.kind.case ?? 'unknown' },
          Math.max(0, Date.now() - timestampMs(event.time)) / 1_000,
        );
      return [{ event, received: new Date(message.info.timestampNanos / 1e6) }];
    } catch {
      this.log.error(`An event on ${message.subject} cannot be read; dropped.`);
      return [];
    }
  }
}
