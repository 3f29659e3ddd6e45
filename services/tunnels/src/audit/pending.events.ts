import { fromBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { liveReplicaIds } from '@warren/platform/broker/directory';
import { timeOfId } from '@warren/platform/events/event.id';
import type { Event } from '@warren/platform/events/event';
import { encoded, RedisOutbox, waitingKey } from '@warren/platform/events/redis.outbox';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { Rounds } from '@warren/platform/service/rounds';
import { EventSchema } from '@warren/proto/events/v1/events';
import type { Result } from 'ioredis';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { Lease } from '../broker/lease.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    warrenSettle(pending: string, waiting: string, id: string, eventId: string, event: string): Result<number, Context>;
  }
}

const WAITING = waitingKey('tunnels');
/** Set of the replicas that have pending events. */
const REPLICAS = 'tunnels:pending';
const pendingKey = (replica: string) => `tunnels:pending:${replica}`;

const LOOK_MS = 5_000;
const BATCH = 200;
const RETRY_MS = 1_000;
/** A longer outage of Redis than that loses an event. Nothing new opens meanwhile, since tokens are in Redis, too. */
const MAX_RETRIES = 60;

/** Replaces a pending event by what became of it; returns 0 if it is not pending any more. */
const SETTLE = `
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1
`;

/** An event of which is known what it will be if this process dies. */
export interface Pending {
  /** Records what became of it. Never rejects. */
  settle: (event: Event) => Promise<void>;
}

/**
 * Events whose end another process records if this one dies: the ends of sessions, and what devices are asked to do. What is to be
 * recorded then waits in Redis, in a hash of each replica. A replica that finds another one dead takes over its hash. Each pending event
 * is settled once: by its own process or by another.
 */
@Injectable()
export class PendingEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(PendingEvents.name);
  private readonly mine: string;
  /** Replicas that were dead at the last look. One look may see a directory that Redis has just lost. */
  private suspects: ReadonlySet<string> = new Set();
  private readonly rounds = new Rounds({
    of: PendingEvents.name,
    everyMs: LOOK_MS,
    failed: 'The pending events of dead replicas could not be recorded',
    round: () => this.takeOver(),
  });

  constructor(
    private readonly redis: RedisLink,
    private readonly outbox: RedisOutbox,
    private readonly lease: Lease,
  ) {
    redis.client.defineCommand('warrenSettle', { numberOfKeys: 2, lua: SETTLE });
    this.mine = pendingKey(lease.replica);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /**
   * Records events, and what is to be recorded if this process dies, in one transaction.
   * @throws Fault `unavailable` if Redis does not answer
   */
  async hold(lost: Event, events: readonly Event[] = []): Promise<Pending> {
    const id = uuidv7();
    await this.store(id, lost, events);
    return { settle: (event) => this.settle(id, event) };
  }

  /** Does the same while a session goes on regardless: retries for a minute, and settles after that. Never rejects. */
  holdSoon(lost: Event, events: readonly Event[]): Pending {
    const id = uuidv7();
    const held = this.persist(() => this.store(id, lost, events));
    return { settle: (event) => held.then(() => this.settle(id, event)) };
  }

  private async store(id: string, lost: Event, events: readonly Event[]): Promise<void> {
    const { replica } = this.lease;
    const transaction = this.redis.client.multi().sadd(REPLICAS, replica).hset(this.mine, id, encoded(lost));
    await this.outbox.record(events, transaction);
  }

  private settle(id: string, event: Event): Promise<void> {
    return this.persist(() => this.settleAt(this.mine, id, event));
  }

  private async settleAt(pending: string, id: string, event: Event): Promise<void> {
    const settled = await this.redis.client.warrenSettle(pending, WAITING, id, event.id, encoded(event));
    if (settled === 1) this.outbox.stored(event);
  }

  private async persist(work: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 0) this.log.warn({ err: error }, 'Audit events wait for Redis.');
        if (attempt >= MAX_RETRIES) return this.log.error({ err: error }, 'An audit event is lost: Redis was down.');
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  /** Records what dead replicas have left. */
  private async takeOver(): Promise<void> {
    const known = await this.redis.client.smembers(REPLICAS);
    const { ids: live } = await liveReplicaIds(this.redis);
    const dead = known.filter((replica) => replica !== this.lease.replica && !live.includes(replica));
    const sure = dead.filter((replica) => this.suspects.has(replica));
    this.suspects = new Set(dead);
    for (const replica of sure) await this.takeOverFrom(replica);
  }

  private async takeOverFrom(replica: string): Promise<void> {
    const key = pendingKey(replica);
    let cursor = '0';
    do {
      // One scan from its beginning to its end: one that began again after each batch would never come to the last of many.
      const [next, found] = await this.redis.client.hscan(key, cursor, 'COUNT', BATCH);
      const entries = found.flatMap((id, at) => (at % 2 === 0 ? [{ id, text: found[at + 1] ?? '' }] : []));
      await Promise.all(entries.map(({ id, text }) => this.settleLost(key, id, text)));
      cursor = next;
    } while (cursor !== '0');
    if ((await this.redis.client.exists(key)) === 0) await this.redis.client.srem(REPLICAS, replica);
  }

  private async settleLost(key: string, id: string, text: string): Promise<void> {
    const event = this.read(text);
    if (!event) return void (await this.redis.client.hdel(key, id));
    const now = uuidv7();
    await this.settleAt(key, id, { ...event, id: now, time: timestampFromMs(timeOfId(now)) });
  }

  private read(text: string): Event | undefined {
    try {
      return fromBinary(EventSchema, Buffer.from(text, 'base64'));
    } catch {
      this.log.error('A pending audit event in Redis cannot be read.');
      return undefined;
    }
  }
}
