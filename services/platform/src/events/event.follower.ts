import { fromBinary } from '@bufbuild/protobuf';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DeliverPolicy, jetstream, type ConsumerMessages } from '@nats-io/jetstream';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { NatsLink } from '../rpc/nats.connection.ts';
import { EventBus } from './event.bus.ts';
import { EVENT_STREAM } from './event.ts';

const HEARTBEAT_MS = 1_000;
const RETRY_MS = 250;
/** How far to look back after a restart without any event so far. */
const LOOK_BACK_MS = 60_000;

type Handler = (event: Event) => void;

/**
 * Delivers every event since the start of this process to every replica, including those during an outage of the bus: for caches and
 * open sessions that end when a right is withdrawn. An event may arrive twice.
 */
@Injectable()
export class EventFollower implements OnApplicationShutdown {
  private readonly log = new Logger(EventFollower.name);
  private readonly handlers = new Set<Handler>();
  private messages: ConsumerMessages | undefined;
  private stopped = false;
  private since: Date | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly bus: EventBus,
  ) {}

  /** Calls back for each event. Returns its undo. */
  follow(handler: Handler): () => void {
    this.handlers.add(handler);
    this.running ??= this.run();
    return () => this.handlers.delete(handler);
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.messages?.stop();
  }

  private async run(): Promise<void> {
    for (let first = true; !this.stopped; first = false) {
      try {
        this.messages = await this.open(first);
        if (this.stopped) this.messages.stop();
        for await (const message of this.messages) {
          this.since = new Date(message.info.timestampNanos / 1e6);
          this.handle(message.data);
        }
      } catch (error) {
        this.log.warn({ err: error }, 'Following events failed.');
      }
      if (!this.stopped) await wait(RETRY_MS, undefined, { ref: false });
    }
  }

  private async open(first: boolean): Promise<ConsumerMessages> {
    const started = new Date(Date.now() - LOOK_BACK_MS);
    await this.bus.ensureStream();
    const since = (this.since ?? started).toISOString();
    const policy = first
      ? { deliver_policy: DeliverPolicy.New }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: since };
    const consumer = await jetstream(this.link.connection).consumers.get(EVENT_STREAM, policy);
    return consumer.consume({ max_messages: 256, idle_heartbeat: HEARTBEAT_MS, abort_on_missing_resource: true });
  }

  private handle(data: Uint8Array): void {
    let event: Event;
    try {
      event = fromBinary(EventSchema, data);
    } catch {
      return this.log.error('An event cannot be read; passed over.');
    }
    for (const handler of this.handlers) handler(event);
  }
}
