import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import { setTimeout as wait } from 'node:timers/promises';
import { Fault } from '../errors/fault.ts';
import { NatsLink } from '../rpc/nats.connection.ts';
import { EVENT_STREAM, EVENT_SUBJECTS, eventSubject } from './event.ts';

const DAY_NS = 24 * 3600 * 1e9;

/** The bus refuses this event, and may accept others. */
export class EventRefused extends Fault {
  constructor(cause: unknown) {
    super('unavailable', 'The message bus refused the event.', { cause });
  }
}

/** Publishes events to JetStream, and subscribes to live ones. */
@Injectable()
export class EventBus implements OnApplicationShutdown {
  private readonly log = new Logger(EventBus.name);
  private readonly stopped = new AbortController();
  private stream: Promise<void> | undefined;
  private client: JetStreamClient | undefined;

  constructor(private readonly link: NatsLink) {}

  /**
   * Publishes one event, and waits until JetStream has stored it. Events with the same id are stored once.
   * @throws Fault `unavailable` if the bus does not accept it, EventRefused if that is because of the event; callers that must not lose it use the outbox or retry
   */
  async publish(event: Event): Promise<void> {
    await this.publishBytes(event.id, eventSubject(event), toBinary(EventSchema, event));
  }

  async publishBytes(id: string, subject: string, payload: Uint8Array): Promise<void> {
    if (!this.link.ready) throw new Fault('unavailable', 'The message bus is down.');
    await this.ensureStream();
    this.client ??= jetstream(this.link.connection);
    try {
      await this.client.publish(subject, payload, { msgID: id, timeout: 3_000 });
    } catch (cause) {
      if (isOfEvent(cause)) throw new EventRefused(cause);
      // The stream may be gone with a server that lost its disk: the next attempt makes it again.
      this.stream = undefined;
      throw new Fault('unavailable', 'The message bus did not take the event.', { cause });
    }
  }

  /** Calls back for each live event, in this process only; nothing is replayed. Returns its undo. */
  listen(handler: (event: Event) => void): () => void {
    const subscription = this.link.connection.subscribe(EVENT_SUBJECTS, {
      callback: (error, message) => {
        if (error) return this.log.warn({ err: error }, 'Listening to events failed.');
        try {
          handler(fromBinary(EventSchema, message.data));
        } catch (failure) {
          // Thrown from here, it would end the connection's reading.
          this.log.error({ err: failure, subject: message.subject }, 'Handling an event failed; skipped.');
        }
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Creates the stream unless it exists. Waits for a bus that is down. */
  ensureStream(): Promise<void> {
    this.stream ??= this.createStream().catch((error: unknown) => {
      this.stream = undefined;
      throw error;
    });
    return this.stream;
  }

  onApplicationShutdown(): void {
    this.stopped.abort();
  }

  private async createStream(): Promise<void> {
    const manager = await jetstreamManager(this.link.connection, { timeout: 3_000 });
    const config = {
      name: EVENT_STREAM,
      subjects: [EVENT_SUBJECTS],
      max_age: 7 * DAY_NS,
      max_bytes: 1 << 30,
      duplicate_window: 120 * 1e9,
    };
    for (let attempt = 0; ; attempt++) {
      try {
        await manager.streams.add(config);
        return;
      } catch (error) {
        if (attempt >= 3 || this.stopped.signal.aborted) throw error;
        await wait(200 * (attempt + 1));
      }
    }
  }
}

/** The process may not publish events of this kind, or the event is larger than the bus allows. */
function isOfEvent(error: unknown): boolean {
  const cause = error instanceof errors.RequestError ? error.cause : error;
  if (cause instanceof errors.PermissionViolationError) return cause.operation === 'publish';
  return cause instanceof errors.InvalidArgumentError;
}
