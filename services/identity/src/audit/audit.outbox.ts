import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { Rounds } from '@warren/platform/service/rounds';
import type { ChainableCommander } from 'ioredis';
import { commit } from '@warren/platform/redis/commit';
import { rowOf, waitingRow, type AuditEvent, type AuditRow } from './audit.event.ts';
import { AuditService } from './audit.service.ts';

/** Hash of the pending audit events, by their id. */
export const WAITING = 'identity:audit:waiting';

/** Batches events for longer than a sign-in takes, so that all its events are written in one statement. */
const BATCH_MS = 200;
/** An older event was left by a process that died: a live one would have written it by now. */
const LEFT_MS = 2_000;
const EVERY_MS = 1_000;
/** Rounds between two checks for events that other processes left. */
const LOOK_EVERY = 5;
/** High-water mark of events in this process: beyond it, callers wait for a flush. */
const HIGH_WATER_MARK = 500;

/**
 * Records audit events without delaying the request. They are stored in Redis in the transaction of the change that they record, and
 * moments later in PostgreSQL. If a process dies in between, another one writes its events; their ids prevent duplicates.
 * While PostgreSQL rejects writes, no change that needs an audit event is possible.
 */
@Injectable()
export class AuditOutbox implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AuditOutbox.name);
  private rows: AuditRow[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;
  private failing = false;
  private round = 0;
  private readonly rounds = new Rounds({
    of: AuditOutbox.name,
    everyMs: EVERY_MS,
    failed: 'Audit events wait to be written',
    round: () => this.catchUp(),
  });

  constructor(
    private readonly redis: RedisLink,
    private readonly audit: AuditService,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.rounds.stop();
    // Unwritten events wait in Redis.
    await this.flush().catch(() => {});
  }

  /**
   * Executes `transaction` and records the event in it.
   * @throws Fault `unavailable` if Redis does not answer; Error if PostgreSQL rejects pending events
   */
  async record(event: AuditEvent, transaction: ChainableCommander): Promise<void> {
    if (this.failing || this.rows.length >= HIGH_WATER_MARK) await this.flush();
    const row = rowOf(event);
    await commit(transaction.hset(WAITING, row.id, JSON.stringify(row)));
    this.rows.push(row);
    this.timer ??= setTimeout(() => void this.flush().catch(() => {}), BATCH_MS);
  }

  /** Writes the batch of this process. Concurrent calls share the next write. */
  private flush(): Promise<void> {
    this.next ??= this.writing
      .catch(() => {})
      .then(() => {
        this.next = undefined;
        return (this.writing = this.writeHeld());
      });
    return this.next;
  }

  private async writeHeld(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = this.rows;
    this.rows = [];
    try {
      await this.write(rows);
      this.failing = false;
    } catch (error) {
      this.failing = true;
      this.rows = [...rows, ...this.rows];
      throw error;
    }
  }

  private async write(rows: AuditRow[]): Promise<void> {
    if (rows.length === 0) return;
    await this.audit.write(rows);
    // Rows that stay because Redis is down are found again, and writing them again changes nothing.
    await this.redis.client.hdel(WAITING, ...rows.map(({ id }) => id)).catch(() => {});
  }

  /** Writes what failed before, and the events of processes that died. */
  private async catchUp(): Promise<void> {
    if (this.failing) await this.flush();
    if (this.round++ % LOOK_EVERY !== 0) return;
    const [, found] = await this.redis.client.hscan(WAITING, 0, 'COUNT', HIGH_WATER_MARK);
    const left = found.flatMap((text, at) => (at % 2 === 1 ? this.leftBehind(text) : []));
    await this.write(left);
  }

  private leftBehind(text: string): AuditRow[] {
    const { data, error } = waitingRow.safeParse(text);
    if (error) this.log.error('A pending audit event in Redis cannot be read.');
    return data && Date.now() - Date.parse(data.time) > LEFT_MS ? [data] : [];
  }
}
