import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { EventKind } from '@warren/platform/events/event';
import type { Outbox } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { queueJobs } from '@warren/platform/telemetry/metrics';
import type { Queue } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { MAIL_JOB } from './mail.job.ts';

/** Interval between checks for mails that the outbox has not enqueued. */
const LOOK_MS = 10_000;

const BATCH = 100;
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
const STOP_MS = 2_000;

export interface MailPublisherOptions<Mail> {
  /** The class, for the log. */
  of: string;
  /** The event whose change makes mails due. */
  after: EventKind;
  /** Claims mails that are due and were not enqueued lately. */
  claim: (limit: number) => Promise<Mail[]>;
  /** Names the job of a mail, so that the mail is in the queue at most once. */
  jobId: (mail: Mail) => string;
  /** Runs at the start of each round. */
  first: () => Promise<void>;
}

/**
 * Moves due mails to a queue, as soon as the outbox has published the event of their change. Rows record which mails are due, so none is
 * lost while Redis is down or after it lost its data: rounds find them.
 */
export abstract class MailPublisher<Mail> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;
  /** The event was published since the running round started. */
  private asked = false;
  private unfollow: (() => void) | undefined;

  protected constructor(
    private readonly outbox: Pick<Outbox, 'afterPublishing'>,
    private readonly queue: Queue,
    private readonly options: MailPublisherOptions<Mail>,
  ) {
    const log = new Logger(options.of);
    this.rounds = new Rounds({
      of: options.of,
      everyMs: LOOK_MS,
      failed: 'Mails wait to be queued',
      round: () => this.publish(),
    });
    this.queue.on('error', ({ message }) => log.debug({ problem: message }, 'The queue of mails does not answer.'));
  }

  onApplicationBootstrap(): void {
    this.unfollow = this.outbox.afterPublishing(this.options.after, () => {
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
    await this.options.first();
    await this.countJobs();
    for (let enqueued = BATCH; this.asked || enqueued === BATCH;) {
      this.asked = false;
      enqueued = await this.enqueueBatch();
    }
  }

  private async countJobs(): Promise<void> {
    const counts = await this.queue.getJobCounts(...STATES);
    for (const state of STATES) queueJobs.set({ queue: this.queue.name, state }, counts[state] ?? 0);
  }

  /** Waits while Redis is down. A claimed mail that was not enqueued is claimed again later. */
  private async enqueueBatch(): Promise<number> {
    const { claim, jobId } = this.options;
    const mails = await claim(BATCH);
    const jobs = mails.map((data) => ({ name: 'send', data, opts: { ...MAIL_JOB, jobId: jobId(data) } }));
    if (jobs.length > 0) await this.queue.addBulk(jobs);
    return jobs.length;
  }
}
