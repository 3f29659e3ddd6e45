import { toBinary } from '@bufbuild/protobuf';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EventSchema, type Event } from '@warren/proto/events/v1/events';
import { InjectServiceInfo, type ServiceInfo } from '../process/service-info.ts';
import { outboxAge, outboxWaiting } from '../telemetry/metrics.ts';
import { DataSource, type EntityManager } from 'typeorm';
import { retried } from '../database/retried.ts';
import { sendBatch, type SentBatch } from './send.batch.ts';
import { EventBus } from './event.bus.ts';
import { eventSubject, subjectOfKind, type EventKind } from './event.ts';
import { timeOfId } from './event.id.ts';
import { OutboxEntity } from './outbox.entity.ts';
import { countWaiting } from './outbox.sql.ts';

const BATCH = 100;
/** Between two looks for what another process left, and between two tries while events wait. */
const LOOK_MS = 5_000;
const RETRY_MS = 1_000;
const INSERT_ROWS = 5_000;
/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** What happens in one transaction: rows change, and `emit` takes the events that tell of it. */
export type EventfulWork<T> = (manager: EntityManager, emit: (event: Event) => void) => Promise<T>;

/** What a domain service needs of the outbox. */
export type EventfulTransactions = Pick<Outbox, 'transaction'>;

/**
 * Writes rows and their events in one transaction and publishes nothing: a running service finds them and does. `work` runs again when
 * the transaction lost against another one.
 */
export function writeWithEvents<T>(source: DataSource, work: EventfulWork<T>): Promise<T> {
  return retried(() => writeOnce(source, work));
}

function writeOnce<T>(source: DataSource, work: EventfulWork<T>): Promise<T> {
  return source.transaction(async (manager) => {
    const events: Event[] = [];
    const value = await work(manager, (event) => events.push(event));
    const rows = events.map((event) => ({
      id: event.id,
      subject: eventSubject(event),
      payload: Buffer.from(toBinary(EventSchema, event)),
    }));
    // A statement takes 65,535 parameters at most, and an account may have more users than that.
    for (let at = 0; at < rows.length; at += INSERT_ROWS)
      await manager.insert(OutboxEntity, rows.slice(at, at + INSERT_ROWS));
    return value;
  });
}

/**
 * Events that must not be lost: written in the transaction that changes the rows, published after it. A process that dies
 * in between leaves them for the next one; one that died after publishing publishes again under the same id.
 */
@Injectable()
export class Outbox implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Outbox.name);
  private timer: NodeJS.Timeout | undefined;
  private publishing: Promise<void> | undefined;
  private readonly followers = new Map<string, () => void>();
  /** Somebody wrote since the running publication last looked. */
  private asked = false;
  private failing = false;
  private serving = false;
  private settled: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly source: DataSource,
    private readonly bus: EventBus,
    @InjectServiceInfo() private readonly info: Pick<ServiceInfo, 'name'>,
  ) {}

  /** Runs `work` in a transaction; the events it hands to `emit` are published once it has committed. */
  async transaction<T>(work: EventfulWork<T>): Promise<T> {
    let emitted = false;
    try {
      return await writeWithEvents(this.source, (manager, emit) =>
        work(manager, (event) => {
          emitted = true;
          emit(event);
        }),
      );
    } finally {
      if (emitted) void this.publish();
      await this.settled();
    }
  }

  /** Runs `work`, which never fails, after each transaction and before its result is given. One that failed may have committed. */
  afterEach(work: () => Promise<void>): void {
    this.settled = work;
  }

  /**
   * Starts `work` each time that events of a kind have been published by this process. Nobody waits for it, so it can't keep events from
   * being published; its owner has to find what a process that died has not started.
   * @returns undoes it
   */
  afterPublishing(kind: EventKind, work: () => void): () => void {
    const subject = subjectOfKind(kind);
    this.followers.set(subject, work);
    return () => void this.followers.delete(subject);
  }

  /** Resolves when the events that wait now have been published, or can't be. */
  published(): Promise<void> {
    return this.publish();
  }

  onApplicationBootstrap(): void {
    this.serving = true;
    this.schedule();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.serving = false;
    clearTimeout(this.timer);
    await this.publish();
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.serving) this.timer = setTimeout(() => void this.poll(), this.failing ? RETRY_MS : LOOK_MS);
  }

  /** What this process writes it publishes at once; this finds the rest. */
  private async poll(): Promise<void> {
    if ((await this.count().catch(() => 1)) > 0) await this.publish();
    this.schedule();
  }

  /** @returns how many events wait, up to 10,000 */
  private async count(): Promise<number> {
    const waiting = await countWaiting(this.source);
    const component = this.info.name;
    outboxWaiting.set({ component }, waiting.n);
    outboxAge.set({ component }, waiting.oldest ? Math.max(0, Date.now() - timeOfId(waiting.oldest)) / 1_000 : 0);
    return waiting.n;
  }

  /** Publishes what waits. Calls that come while it runs share one more run. */
  private publish(): Promise<void> {
    this.asked = true;
    this.publishing ??= this.drain().finally(() => (this.publishing = undefined));
    return this.publishing;
  }

  private async drain(): Promise<void> {
    try {
      let refusal: unknown;
      let after = FIRST_ID;
      for (let sent = 0; this.asked || sent === BATCH;) {
        this.asked = false;
        const { published, waiting, error, down } = await this.publishBatch(after);
        sent = published.length + waiting.length;
        for (const subject of new Set(published.map((event) => event.subject))) this.followers.get(subject)?.();
        if (waiting.length === 0) continue;
        if (down) throw error;
        // They are sent again at the next look; the events behind them need not wait for it.
        refusal ??= error;
        after = waiting.at(-1)?.id ?? after;
      }
      if (refusal !== undefined) throw refusal;
      this.failing = false;
    } catch (error) {
      if (this.failing) return;
      this.log.warn({ err: error }, 'Events wait to be published.');
      this.failing = true;
      this.schedule();
    }
  }

  /** Publishes the oldest events with ids behind `after`. */
  private publishBatch(after: string): Promise<SentBatch<OutboxEntity>> {
    return this.source.transaction(async (manager) => {
      const rows = await manager
        .createQueryBuilder(OutboxEntity, 'outbox')
        .where('outbox.id > :after', { after })
        .orderBy('outbox.id')
        .limit(BATCH)
        .setLock('pessimistic_write')
        .setOnLocked('skip_locked')
        .getMany();
      const batch = await sendBatch(rows, (row) => this.bus.publishBytes(row.id, row.subject, row.payload));
      if (batch.published.length > 0)
        await manager.delete(
          OutboxEntity,
          batch.published.map(({ id }) => id),
        );
      return batch;
    });
  }
}
