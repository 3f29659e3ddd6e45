import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { Rounds } from '@warren/platform/service/rounds';
import type { ChainableCommander } from 'ioredis';
import { commit } from '../redis/reach.ts';
import { rowOf, waitingRow, type AuditLine, type AuditRow } from './audit.line.ts';
import { AuditService } from './audit.service.ts';

/** Hash of the lines that stand in the trail in a moment, by their id. */
export const WAITING = 'identity:audit:waiting';

/** Lines that come within this long are written together: longer than an opening takes, so that its lines are one statement when it is over. */
const GATHER_MS = 200;
/** A line that is older than this was left by a process that died; whose it is it would have written it by now. */
const LEFT_MS = 2_000;
const EVERY_MS = 1_000;
/** Rounds between two looks for what another process left. */
const LOOK_EVERY = 5;
/** Lines that this process holds before whoever brings another one waits. */
const MOST = 500;

/**
 * Lines of the trail that nobody waits for. They stand in Redis before what they tell of is answered, in the very transaction that does it,
 * and a moment later in PostgreSQL. A process that dies in between leaves them for the next one; each has its id, so that it is written once.
 * While PostgreSQL does not take them, nobody is let do what would need another one.
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
    failed: 'Lines of the audit trail wait to be written',
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
    // What can't be written now waits in Redis.
    await this.flush().catch(() => {});
  }

  /**
   * Does what `transaction` says, together with noting the line.
   * @throws Fault `unavailable` when Redis does not answer; Error when PostgreSQL takes no lines
   */
  async record(line: AuditLine, transaction: ChainableCommander): Promise<void> {
    if (this.failing || this.rows.length >= MOST) await this.flush();
    const row = rowOf(line);
    await commit(transaction.hset(WAITING, row.id, JSON.stringify(row)));
    this.rows.push(row);
    this.timer ??= setTimeout(() => void this.flush().catch(() => {}), GATHER_MS);
  }

  /** Writes what this process holds. Calls that come while it writes share one more. */
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
    // One that stays because Redis is away is found again, and changes nothing.
    await this.redis.client.hdel(WAITING, ...rows.map(({ id }) => id)).catch(() => {});
  }

  /** Writes what failed before, and what processes that died have left. */
  private async catchUp(): Promise<void> {
    if (this.failing) await this.flush();
    if (this.round++ % LOOK_EVERY !== 0) return;
    const [, found] = await this.redis.client.hscan(WAITING, 0, 'COUNT', MOST);
    const left = found.flatMap((text, at) => (at % 2 === 1 ? this.leftBehind(text) : []));
    await this.write(left);
  }

  private leftBehind(text: string): AuditRow[] {
    const { data, error } = waitingRow.safeParse(text);
    if (error) this.log.error('A line of the audit trail in Redis can not be read.');
    return data && Date.now() - Date.parse(data.time) > LEFT_MS ? [data] : [];
  }
}
