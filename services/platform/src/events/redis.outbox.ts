import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import type { ChainableCommander } from 'ioredis';
import { timeOfId } from './event.id.ts';
import { Fault } from '../errors/fault.ts';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { commit } from '../redis/commit.ts';
import { RedisLink } from '../redis/redis.module.ts';
import { outboxAge, outboxWaiting } from '../telemetry/metrics.ts';
import { EventBus } from './event.bus.ts';
import { sendBatch, type SentBatch } from './send.batch.ts';

const BATCH = 64;
const EVERY_MS = 1_000;
/** An older event was left by a process that died: a live one would have published it by now. */
const LEFT_MS = 5_000;
/** How long audit events wait to be published together: nobody waits for them, and each wakes several processes while a session is opening. */
const AUDIT_MS = 200;
/** Rounds between two looks for events that other processes left. */
const LOOK_EVERY = 5;
/** Of this process: beyond it, the bus must take events before more are recorded. */
const MAX_WAITING = 10_000;

/**
 * The outbox of services that keep their state in Redis. An event is stored there in the transaction of the change that it tells of,
 * and published soon after. If the process dies in between, another one publishes the event under the same id.
 */
@Injectable()
export class RedisOutbox implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RedisOutbox.name);
  private readonly key: string;
  private waiting: Event[] = [];
  private publishing: Promise<void> | undefined;
  /** The bus does not answer. */
  private failing = false;
  /** The bus refuses some events. */
  private refused = false;
  private round = 0;
  private timer: NodeJS.Timeout | undefined;
  private later: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly redis: RedisLink,
    private readonly bus: EventBus,
    @InjectServiceInfo() private readonly info: Pick<ServiceInfo, 'name'>,
  ) {
    this.key = waitingKey(info.name);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.later);
    await this.looking;
    // Unpublished events wait in Redis for another process.
    await this.publish();
  }

  /**
   * Runs `transaction` and stores the events in it. Publishes them soon after: audit events within 200 ms, others at once.
   * @returns the answer of each command of the transaction
   * @throws Fault `unavailable` if Redis does not answer, or the bus has not taken events for long
   */
  async record(
    events: readonly Event[],
    transaction: ChainableCommander = this.redis.client.multi(),
  ): Promise<unknown[]> {
    if (this.waiting.length >= MAX_WAITING)
      throw new Fault('unavailable', 'The message bus has not taken events for a while.', { retryAfter: 2 });
    const count = transaction.length;
    for (const event of events) transaction.hset(this.key, event.id, encoded(event));
    const answers = await commit(transaction);
    this.add(...events);
    return answers.slice(0, count);
  }

  /** The events of this process that are not published yet. */
  get backlog(): number {
    return this.waiting.length;
  }

  /** Publishes an event that a script has stored under {@link waitingKey}, as {@link encoded} writes it. */
  stored(event: Event): void {
    this.add(event);
  }

  private add(...events: Event[]): void {
    this.waiting.push(...events);
    if (events.some(({ kind }) => kind.case !== 'audit')) return void this.publish();
    this.later ??= setTimeout(() => {
      this.later = undefined;
      void this.publish();
    }, AUDIT_MS);
  }

  /** Publishes the events of this process. Calls during a run share it; it never rejects. */
  private publish(): Promise<void> {
    this.publishing ??= this.drain().finally(() => (this.publishing = undefined));
    return this.publishing;
  }

  private async drain(): Promise<void> {
    try {
      let refused = 0;
      let refusal: unknown;
      while (this.waiting.length > refused) {
        const batch = this.waiting.slice(refused, refused + BATCH);
        const { waiting, error } = await this.send(batch);
        // They are sent again in the next round; the events behind them need not wait for it.
        this.waiting.splice(refused, batch.length, ...waiting);
        refused += waiting.length;
        refusal ??= error;
      }
      this.failing = false;
      if (refused > 0 && !this.refused) this.warn(refusal);
      this.refused = refused > 0;
    } catch (error) {
      if (!this.failing) this.warn(error);
      this.failing = true;
    }
  }

  private warn(err: unknown): void {
    this.log.warn({ err }, 'Events wait in Redis to be published.');
  }

  /** @throws the error of a bus that does not answer */
  private async send(events: readonly Event[]): Promise<SentBatch<Event>> {
    const batch = await sendBatch(events, (event) => this.bus.publish(event));
    const ids = batch.published.map(({ id }) => id);
    // Events that stay because Redis is down are found again, and their ids keep them from being recorded twice.
    if (ids.length > 0) await this.redis.client.hdel(this.key, ...ids).catch(() => {});
    if (batch.down) throw batch.error;
    return batch;
  }

  /** Rounds don't overlap. Redis reports by itself that it is down. */
  private look(): Promise<void> {
    this.looking ??= this.catchUp()
      .catch(() => {})
      .finally(() => (this.looking = undefined));
    return this.looking;
  }

  /** Publishes what failed before, and now and then the events of processes that died. */
  private async catchUp(): Promise<void> {
    await this.publish();
    if (this.round++ % LOOK_EVERY !== 0) return;
    outboxWaiting.set({ component: `${this.info.name}-redis` }, await this.redis.client.hlen(this.key));
    let oldest = Date.now();
    let cursor = '0';
    do {
      const [next, found] = await this.redis.client.hscan(this.key, cursor, 'COUNT', BATCH);
      for (const id of found.filter((_, at) => at % 2 === 0)) oldest = Math.min(oldest, timeOfId(id));
      if (!this.failing) await this.publishLeft(found);
      cursor = next;
    } while (cursor !== '0');
    outboxAge.set({ component: `${this.info.name}-redis` }, (Date.now() - oldest) / 1_000);
  }

  /** @param found ids and events by turns */
  private async publishLeft(found: readonly string[]): Promise<void> {
    const mine = new Set(this.waiting.map(({ id }) => id));
    const left = found.flatMap((text, at) => (at % 2 === 1 ? this.leftBehind(text) : []));
    const others = left.filter(({ id }) => !mine.has(id));
    if (others.length > 0) await this.send(others);
  }

  private leftBehind(text: string): Event[] {
    try {
      const event = fromBinary(EventSchema, Buffer.from(text, 'base64'));
      return Date.now() - timeOfId(event.id) > LEFT_MS ? [event] : [];
    } catch {
      this.log.error('An event in Redis cannot be read.');
      return [];
    }
  }
}

/** The hash of a service's events that wait to be published, by their ids. */
export function waitingKey(service: string): string {
  return `${service}:events:waiting`;
}

/** An event as it waits in Redis. */
export function encoded(event: Event): string {
  return Buffer.from(toBinary(EventSchema, event)).toString('base64');
}
