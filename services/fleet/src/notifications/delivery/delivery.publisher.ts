import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { queueJobs } from '@warren/platform/telemetry/metrics';
import type { Queue } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import {
  notificationsFailed,
  notificationsOldest,
  notificationsOverdue,
  notificationsWaiting,
} from '../../telemetry/metrics.ts';
import { ATTEMPT_JOB, jobId, NOTIFICATIONS, QUEUE_MAX } from './delivery.queue.ts';
import { claimDue, countNotifications, type Attempt } from './notifications.sql.ts';

const LOOK_MS = 5_000;
const BATCH = 100;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const STOP_MS = 2_000;

/** Moves attempts that are due to the queue, from which any replica takes them. */
@Injectable()
export class DeliveryPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DeliveryPublisher.name);
  private readonly rounds = new Rounds({
    of: DeliveryPublisher.name,
    everyMs: LOOK_MS,
    failed: 'Notifications wait to be queued',
    round: () => this.publish(),
  });

  constructor(
    private readonly source: DataSource,
    @InjectQueue(NOTIFICATIONS) private readonly queue: Queue<Attempt>,
  ) {
    this.queue.on('error', (error) => this.log.debug(`The queue of notifications does not answer: ${error.message}`));
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.race([this.rounds.stop(), wait(STOP_MS, undefined, { ref: false })]);
  }

  /** Looks for attempts that are due at once. */
  now(): Promise<void> {
    return this.rounds.now();
  }

  private async publish(): Promise<void> {
    const counts = await this.count();
    let room = QUEUE_MAX - counts;
    for (let queued = BATCH; queued === BATCH && room > 0; room -= queued)
      queued = await this.queueSome(Math.min(BATCH, room));
  }

  /** @returns the attempts in the queue */
  private async count(): Promise<number> {
    const { waiting, oldest, overdue, failed } = await countNotifications(this.source);
    notificationsWaiting.set(waiting);
    notificationsOldest.set(oldest);
    notificationsOverdue.set(overdue);
    notificationsFailed.set(failed);
    const counts = await this.queue.getJobCounts(...STATES);
    for (const state of STATES) queueJobs.set({ queue: NOTIFICATIONS, state }, counts[state] ?? 0);
    return (counts['waiting'] ?? 0) + (counts['active'] ?? 0);
  }

  private async queueSome(limit: number): Promise<number> {
    const due = await claimDue(this.source, limit);
    const jobs = due.map((data) => ({ name: 'attempt', data, opts: { ...ATTEMPT_JOB, jobId: jobId(data) } }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    return jobs.length;
  }
}
