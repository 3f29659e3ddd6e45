import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Outbox } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { queueJobs } from '@warren/platform/telemetry/metrics';
import type { Queue } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { mailsWaiting } from '../telemetry/metrics.ts';
import { INVITATION_MAILS, MAIL_JOB, type InvitationMail } from './invitation.queue.ts';
import { claimMails, countUnsent } from './invitations.sql.ts';

/** Interval between checks for mails that the outbox has not enqueued. */
const LOOK_MS = 10_000;

const BATCH = 100;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const STOP_MS = 2_000;

/**
 * Moves due mails to the queue, as soon as the outbox has published the change of their invitation. Rows record which mails are due, so
 * none is lost while Redis is down or after it lost its data: rounds find them.
 */
@Injectable()
export class InvitationPublisher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(InvitationPublisher.name);
  private readonly rounds = new Rounds({
    of: InvitationPublisher.name,
    everyMs: LOOK_MS,
    failed: 'Mails wait to be queued',
    round: () => this.publish(),
  });
  /** An invitation has changed since the running round started. */
  private asked = false;
  private unfollow: (() => void) | undefined;

  constructor(
    private readonly source: DataSource,
    private readonly outbox: Outbox,
    @InjectQueue(INVITATION_MAILS) private readonly queue: Queue<InvitationMail>,
  ) {
    this.queue.on('error', (error) => this.log.debug(`The queue of mails does not answer: ${error.message}`));
  }

  onApplicationBootstrap(): void {
    this.unfollow = this.outbox.afterPublishing('invitationChanged', () => {
      this.asked = true;
      void this.rounds.now();
    });
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.unfollow?.();
    await Promise.race([this.rounds.stop(), wait(STOP_MS, undefined, { ref: false })]);
  }

  private async publish(): Promise<void> {
    await this.countWaiting();
    for (let enqueued = BATCH; this.asked || enqueued === BATCH;) {
      this.asked = false;
      enqueued = await this.enqueueBatch();
    }
  }

  private async countWaiting(): Promise<void> {
    mailsWaiting.set(await countUnsent(this.source));
    const counts = await this.queue.getJobCounts(...STATES);
    for (const state of STATES) queueJobs.set({ queue: INVITATION_MAILS, state }, counts[state] ?? 0);
  }

  /** Waits while Redis is down. A claimed mail that was not enqueued is claimed again later. */
  private async enqueueBatch(): Promise<number> {
    const mails = await claimMails(this.source, BATCH);
    const jobs = mails.map((data) => ({ name: 'send', data, opts: { ...MAIL_JOB, jobId: data.mailing } }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    return jobs.length;
  }
}
