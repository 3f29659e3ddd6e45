import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { JsMsg } from '@nats-io/jetstream';
import type { Event } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { NatsLink } from '../rpc/nats.connection.ts';
import { eventsHandled } from '../telemetry/metrics.ts';
import { DurableConsumer, readEvent } from './durable.consumer.ts';
import { EventBus } from './event.bus.ts';

/** An event, and when the bus got it. */
export interface Received {
  event: Event;
  received: Date;
}

type Handler = (events: readonly Received[]) => Promise<void>;

const BATCH = 256;
const MAX_UNACKNOWLEDGED = 1_024;
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 10_000;

/**
 * Delivers events in batches, to one of the replicas each. A batch is acknowledged after its handler; if that fails, the batch is handled again,
 * by this process or another one. Takes the place of EventConsumer in a service that writes events in bulk.
 */
@Injectable()
export class EventBatches implements BeforeApplicationShutdown {
  private readonly log = new Logger(EventBatches.name);
  private readonly consumer: DurableConsumer;
  private running: Promise<void> | undefined;
  private arrived: JsMsg[] = [];
  private handling: Promise<void> | undefined;

  constructor(link: NatsLink, bus: EventBus, @InjectServiceInfo() { name }: ServiceInfo) {
    this.consumer = new DurableConsumer(link, bus, { name, ahead: BATCH, unacknowledged: MAX_UNACKNOWLEDGED });
  }

  /** Starts to deliver events of all kinds. To be called once. */
  start(handler: Handler): void {
    this.running = this.consumer.run((message) => {
      this.arrived.push(message);
      this.handling ??= this.handleAll(handler).finally(() => (this.handling = undefined));
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.consumer.stop();
    await Promise.race([Promise.all([this.running, this.handling]), wait(3_000, undefined, { ref: false })]);
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
        const delay = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
        // oxlint-disable-next-line no-useless-assignment -- the next round uses it
        failures += 1;
        this.log.error({ err: error, events: batch.length, retry_ms: delay }, 'Handling events failed.');
        stop({ result: 'error' });
        if (this.consumer.stopped) return;
        // Not delivered to another process meanwhile.
        for (const message of this.arrived) message.working();
        await wait(delay);
      }
    }
  }

  private read(message: JsMsg): Received[] {
    const event = readEvent(message);
    if (event) return [{ event, received: new Date(message.info.timestampNanos / 1e6) }];
    this.log.error({ subject: message.subject }, 'An event cannot be read; dropped.');
    return [];
  }
}
