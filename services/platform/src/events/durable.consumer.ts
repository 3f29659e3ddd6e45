import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Logger } from '@nestjs/common';
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
import type { NatsLink } from '../rpc/nats.connection.ts';
import { eventAge, eventsPending, eventStreamBytes, eventStreamMax } from '../telemetry/metrics.ts';
import type { EventBus } from './event.bus.ts';
import { EVENT_STREAM } from './event.ts';

const ACK_WAIT_NS = 30 * 1e9;
const REOPEN_MS = 500;
const COUNT_EVERY_MS = 10_000;

interface Options {
  /** Name of the consumer, which all replicas share. */
  name: string;
  /** Messages that are fetched ahead. */
  ahead: number;
  /** Messages that are delivered without an acknowledgement, over all replicas. */
  unacknowledged: number;
}

/** Reads the stream of events through a durable consumer, makes it again if it vanishes, and counts what waits in it. */
export class DurableConsumer {
  private readonly log = new Logger(DurableConsumer.name);
  private messages: ConsumerMessages | undefined;
  private stopping = false;
  private counting: NodeJS.Timeout | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly bus: EventBus,
    private readonly options: Options,
  ) {}

  get stopped(): boolean {
    return this.stopping;
  }

  /** Hands over each message, and settles when it is stopped. */
  async run(take: (message: JsMsg) => Promise<void> | void): Promise<void> {
    while (!this.stopping) {
      try {
        this.messages = await this.open();
        if (this.stopping) this.messages.stop();
        for await (const message of this.messages) await take(message);
      } catch (error) {
        this.log.warn({ err: error }, 'Reading events failed.');
      }
      if (!this.stopping) await wait(REOPEN_MS);
    }
  }

  stop(): void {
    this.stopping = true;
    clearInterval(this.counting);
    this.messages?.stop();
  }

  private async open(): Promise<ConsumerMessages> {
    const { name, ahead, unacknowledged } = this.options;
    await this.bus.ensureStream();
    const manager = await jetstreamManager(this.link.connection, { timeout: 3_000 });
    await manager.consumers.add(EVENT_STREAM, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: ACK_WAIT_NS,
      max_ack_pending: unacknowledged,
    });
    const consumer = await jetstream(this.link.connection).consumers.get(EVENT_STREAM, name);
    const count = () => void this.count(consumer, manager).catch(() => {});
    count();
    clearInterval(this.counting);
    this.counting = setInterval(count, COUNT_EVERY_MS).unref();
    // A consumer or stream that vanished ends the loop of `run`, which makes it again.
    return consumer.consume({ max_messages: ahead, idle_heartbeat: 5_000, abort_on_missing_resource: true });
  }

  private async count(consumer: Consumer, manager: JetStreamManager): Promise<void> {
    const { num_pending: pending, num_ack_pending: unacknowledged } = await consumer.info();
    const { name: component } = this.options;
    eventsPending.set({ component, state: 'undelivered' }, pending);
    eventsPending.set({ component, state: 'unacknowledged' }, unacknowledged);
    const { state, config } = await manager.streams.info(EVENT_STREAM);
    eventStreamBytes.set(state.bytes);
    eventStreamMax.set(config.max_bytes);
  }
}

/** Reads an event, and observes its age at its first delivery; undefined if it is not one. */
export function readEvent(message: JsMsg): Event | undefined {
  let event: Event;
  try {
    event = fromBinary(EventSchema, message.data);
  } catch {
    return undefined;
  }
  if (event.time && message.info.deliveryCount === 1)
    eventAge.observe({ kind: event.kind.case ?? 'unknown' }, Math.max(0, Date.now() - timestampMs(event.time)) / 1_000);
  return event;
}
