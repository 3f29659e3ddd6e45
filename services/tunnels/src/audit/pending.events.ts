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

type Eight = [string, string, string, string, string, string, string, number];
type Nine = [string, string, string, string, string, string, string, string, string];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** @param values keys of pending, waiting, taken and replicas; id, what is pending next, id and text of the event, replica */
    warrenReplace(...values: Nine): Result<number, Context>;
    /** @param values keys of pending, waiting and taken; id and text of what is pending, id and text of the event, milliseconds */
    warrenTakeOver(...values: Eight): Result<number, Context>;
  }
}

const WAITING = waitingKey('tunnels');
/** Set of the replicas that have pending events. */
const REPLICAS = 'tunnels:pending';
const pendingKey = (replica: string) => `tunnels:pending:${replica}`;
/** Set of the ids that another process has taken over from a replica. */
const takenKey = (replica: string) => `tunnels:pending-taken:${replica}`;

const LOOK_MS = 5_000;
const BATCH = 200;
const RETRY_MS = 1_000;
/** A process that was taken for dead may return within that. */
const TAKEN_MS = 86_400_000;

/**
 * Replaces a pending event by the next one, if any, and stores what happened, if anything; returns 0 if another process has taken it over.
 * An entry that Redis has lost with its data is no reason to lose the event.
 */
const REPLACE = `
if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 0 end
if ARGV[2] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  redis.call('SADD', KEYS[4], ARGV[5])
end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[2], ARGV[3], ARGV[4]) end
return 1
`;

/** Stores a pending event of a dead process; returns 0 if it is not pending any more. */
const TAKE_OVER = `
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[5])
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
return 1
`;

/** An event of which is known what it will be if this process dies. Later calls wait for earlier ones, and none rejects. */
export interface Pending {
  /** Records an event, and changes what will be recorded if this process dies. */
  advance: (event: Event, lost: Event) => Promise<void>;
  /** Records what became of it. Calls after that change nothing. */
  settle: (event: Event) => Promise<void>;
  /** Nothing became of it, so nothing is recorded. */
  drop: () => Promise<void>;
}

/**
 * Events that another process records if this one dies: the starts and ends of sessions, and what devices are asked to do. What is to be
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
    redis.client.defineCommand('warrenReplace', { numberOfKeys: 4, lua: REPLACE });
    redis.client.defineCommand('warrenTakeOver', { numberOfKeys: 3, lua: TAKE_OVER });
    this.mine = pendingKey(lease.replica);
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /**
   * Stores what is to be recorded if this process dies, and records events, in one transaction.
   * @throws Fault `unavailable` if Redis does not answer
   */
  async hold(lost: Event, events: readonly Event[] = []): Promise<Pending> {
    const id = uuidv7();
    const { replica } = this.lease;
    const text = encoded(lost);
    const transaction = this.redis.client.multi().sadd(REPLICAS, replica).hset(this.mine, id, text);
    try {
      await this.outbox.record(events, transaction);
    } catch (error) {
      // Redis may have stored all of it, and only its answer was lost: what began is then over, and what did not begin is dropped.
      void this.persist(() => (events.length > 0 ? this.settleLost(replica, { id, text }) : this.replace(id)));
      throw error;
    }
    return this.held(id);
  }

  private held(id: string): Pending {
    let before = Promise.resolve();
    let isOver = false;
    const replace = (event?: Event, next?: Event): Promise<void> => {
      if (!isOver) before = before.then(() => this.persist(() => this.replace(id, event, next)));
      isOver ||= next === undefined;
      return before;
    };
    return { advance: replace, settle: replace, drop: replace };
  }

  private async replace(id: string, event?: Event, next?: Event): Promise<void> {
    const { replica } = this.lease;
    const texts = [next ? encoded(next) : '', event?.id ?? '', event ? encoded(event) : ''] as const;
    const keys = [this.mine, WAITING, takenKey(replica), REPLICAS] as const;
    const replaced = await this.redis.client.warrenReplace(...keys, id, ...texts, replica);
    if (replaced === 1 && event) this.outbox.stored(event);
  }

  /** Repeats what Redis does not answer. Nothing new is held meanwhile, so their number is that of the events that are pending. */
  private async persist(work: () => Promise<void>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === 0) this.log.warn({ err: error }, 'Audit events wait for Redis.');
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
      await Promise.all(entries.map((entry) => this.settleLost(replica, entry)));
      cursor = next;
    } while (cursor !== '0');
    if ((await this.redis.client.exists(key)) === 0) await this.redis.client.srem(REPLICAS, replica);
  }

  private async settleLost(replica: string, { id, text }: { id: string; text: string }): Promise<void> {
    const key = pendingKey(replica);
    const lost = this.read(text);
    if (!lost) return void (await this.redis.client.hdel(key, id));
    const now = uuidv7();
    const event = { ...lost, id: now, time: timestampFromMs(timeOfId(now)) };
    const keys = [key, WAITING, takenKey(replica)] as const;
    const taken = await this.redis.client.warrenTakeOver(...keys, id, text, event.id, encoded(event), TAKEN_MS);
    if (taken === 1) this.outbox.stored(event);
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
