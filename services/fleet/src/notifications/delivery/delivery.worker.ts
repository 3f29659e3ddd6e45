import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Job } from 'bullmq';
import { DataSource, type EntityManager } from 'typeorm';
import { notificationAttempts } from '../../telemetry/metrics.ts';
import { ChannelEntity } from '../channels/channel.entity.ts';
import { failWaiting } from '../channels/channels.sql.ts';
import { ATTEMPTS, delayAfter, GONE_LIMIT } from './backoff.ts';
import { Deliverer } from './deliverer.ts';
import { NOTIFICATIONS } from './delivery.queue.ts';
import { NotificationEntity } from './notification.entity.ts';
import { beginAttempt, noteFailed, type Attempt } from './notifications.sql.ts';
import type { Outcome } from './outcome.ts';

/** How long a command blocks at Redis for a job, which ends it at once. */
const IDLE_SECONDS = 10;

/**
 * Delivers queued notifications, at least once: a process that dies after a message is out and before that is noted leaves the attempt
 * to another one, under the same id.
 */
@Processor(NOTIFICATIONS, { concurrency: 16, drainDelay: IDLE_SECONDS })
export class DeliveryWorker extends WorkerHost implements BeforeApplicationShutdown {
  private readonly log = new Logger(DeliveryWorker.name);
  private readonly source: DataSource;
  private readonly deliverer: Deliverer;

  constructor(source: DataSource, deliverer: Deliverer) {
    super();
    this.source = source;
    this.deliverer = deliverer;
  }

  /** Makes one attempt, unless it was made or its channel is gone. */
  async process({ data }: Job<Attempt>): Promise<void> {
    const row = await beginAttempt(this.source, data);
    const channel = row && (await this.source.manager.findOneBy(ChannelEntity, channelOf(row)));
    if (!row || !channel) return;
    const outcome = await this.attempt(channel, row);
    notificationAttempts.inc({ kind: channel.kind, result: outcome.delivered ? 'delivered' : 'failed' });
    await this.note(row, outcome);
    if (outcome.delivered) return;
    const fields = { notification: row.id, channel: channel.id, attempt: row.attempts + 1, reason: outcome.reason };
    this.log.warn(fields, 'A notification was not delivered.');
  }

  /** What can't be sent fails as well, so that it is not begun for ever. */
  private async attempt(channel: ChannelEntity, row: NotificationEntity): Promise<Outcome> {
    const { id, accountId, title, severity, content, createdAt: created } = row;
    try {
      return await this.deliverer.deliver(channel, { id, accountId, title, severity, content, created });
    } catch (error) {
      this.log.error({ err: error, notification: id }, 'A notification could not be sent.');
      return { delivered: false, reason: 'The hub could not send the message; its log says why.' };
    }
  }

  /** Finishes attempts in flight while the database is still connected. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.debug(`The queue of notifications does not answer: ${error.message}`);
  }

  private note(row: NotificationEntity, outcome: Outcome): Promise<void> {
    return this.source.transaction(async (manager) => {
      if (outcome.delivered) return noteDelivered(manager, row, outcome.remark ?? '');
      const made = row.attempts + 1;
      const { reason, gone = false, retryAfterMs } = outcome;
      const delayMs = delayAfter(made, retryAfterMs);
      const times = await noteFailed(manager, row, { reason, gone, delayMs, last: made >= ATTEMPTS });
      if (times < GONE_LIMIT) return;
      const text = `${reason} The channel was disabled after ${times} such answers in a row.`;
      await manager.update(ChannelEntity, channelOf(row), { enabled: false, lastError: text });
      await failWaiting(manager, row.channelId, text);
    });
  }
}

/** Notes that a message is out, unless its attempt was noted already. */
async function noteDelivered(manager: EntityManager, row: NotificationEntity, remark: string): Promise<void> {
  const { id, accountId, attempts } = row;
  await manager.update(
    NotificationEntity,
    { id, accountId, attempts, state: 'waiting' },
    { state: 'delivered', attempts: attempts + 1, lastError: remark, deliveredAt: () => 'now()', leasedUntil: null },
  );
  await manager.update(ChannelEntity, channelOf(row), { lastSuccess: () => 'now()', lastError: remark, gone: 0 });
}

function channelOf({ channelId: id, accountId }: NotificationEntity): Pick<ChannelEntity, 'id' | 'accountId'> {
  return { id, accountId };
}
